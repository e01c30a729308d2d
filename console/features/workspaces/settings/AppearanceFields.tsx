import { Button, Group, Input, Radio, SimpleGrid, Stack } from '@mantine/core'
import { Images } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Workspace } from '../../../api'
import { FormSection } from '../../../ui/forms/FormSection'
import type { RecordForm } from '../../../ui/forms/useRecordForm'
import { LibraryDialog } from '../../media/attachments/LibraryDialog'
import { ChooseFilesButton } from '../../media/upload/FileDrop'
import { UploadList } from '../../media/upload/UploadList'
import { useUploads } from '../../media/upload/useUploads'
import { useWorkspace } from '../queries'
import { WorkspacePicture, workspaceColors } from '../WorkspacePicture'
import type { SettingsValues } from './form-values'

type Props = { state: RecordForm<SettingsValues, Workspace>; readOnly: boolean }

/** The color and the picture of the workspace. */
export function AppearanceFields({ state: { form }, readOnly }: Props) {
  const { t } = useTranslation()
  return (
    <FormSection title={t('settings.appearance')} about={t('settings.appearance_about')}>
      <PictureField form={form} readOnly={readOnly} />
      <Radio.Group label={t('settings.color')} {...form.getInputProps('color')}>
        <SimpleGrid cols={{ base: 2, xs: 4 }} mt="xs">
          {Object.entries(workspaceColors).map(([name, color]) => (
            <Radio
              key={name}
              value={name}
              color={color}
              disabled={readOnly}
              label={
                <Group gap={6} wrap="nowrap">
                  <span style={{ width: 14, height: 14, borderRadius: '50%', background: color }} />
                  {t(`settings.colors.${name as Workspace['color']}`)}
                </Group>
              }
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
    </FormSection>
  )
}

function PictureField({ form, readOnly }: { form: Props['state']['form']; readOnly: boolean }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [choosing, setChoosing] = useState(false)
  const { name, color, picture_id } = form.values
  const set = (id: string | null) => form.setFieldValue('picture_id', id)
  const uploads = useUploads(slug, ({ id }) => set(id))
  const picture_url = picture_id && `/api/v1/media/${picture_id}/thumbnail`
  return (
    <Input.Wrapper label={t('settings.picture')} labelElement="div" error={form.errors.picture_id}>
      <Stack gap="xs" mt={6}>
        <Group gap="sm">
          <WorkspacePicture workspace={{ name, color, picture_url }} size={48} />
          {!readOnly && (
            <>
              <ChooseFilesButton onFiles={([file]) => file && uploads.add([file])} variant="default">
                {t('settings.picture_upload')}
              </ChooseFilesButton>
              <Button variant="default" leftSection={<Images size={16} />} onClick={() => setChoosing(true)}>
                {t('compose.from_library')}
              </Button>
              {picture_id && (
                <Button variant="subtle" color="gray" onClick={() => set(null)}>
                  {t('settings.picture_remove')}
                </Button>
              )}
            </>
          )}
        </Group>
        <UploadList uploads={uploads.uploads} onCancel={uploads.cancel} onRetry={uploads.retry} />
      </Stack>
      <LibraryDialog
        opened={choosing}
        onClose={() => setChoosing(false)}
        max={1}
        onChoose={([id]) => {
          setChoosing(false)
          set(id ?? null)
        }}
      />
    </Input.Wrapper>
  )
}
