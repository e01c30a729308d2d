import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../../api'
import { useFormSubmit } from '../../../../ui/forms/useFormSubmit'
import { MediaAttachments } from '../../../media/attachments/MediaAttachments'
import { useWorkspace } from '../../../workspaces/queries'
import { invalidateOrders, type Order } from '../order-queries'
import { ActionForm } from './ActionForm'

/** Maximum number of delivered files and links, as in the API. */
const MAX_ITEMS = 50

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Delivers files of the library and links, with a note. */
export function DeliverForm({ order: { id }, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const form = useForm({
    initialValues: { media_ids: [] as string[], links: '', notes: '' },
    validate: {
      links: (links, { media_ids }) =>
        linesOf(links).length + media_ids.length > 0 ? null : t('orders.nothing_delivered'),
    },
  })
  const submit = useFormSubmit(form, {
    mutationFn: ({ media_ids, links, notes }) =>
      unwrap(
        workspaceApi(slug).PATCH('/api/v1/marketplace/orders/{id}/deliver', {
          params: { path: { id } },
          body: {
            posts: [...media_ids.map((media_id) => ({ media_id })), ...linesOf(links).map((url) => ({ url }))],
            ...(notes.trim() && { notes: notes.trim() }),
          },
        }),
      ),
    onSuccess: onClose,
    onSettled: () => invalidateOrders(slug),
  })
  return (
    <ActionForm action="deliver" submit={submit} onClose={onClose}>
      <MediaAttachments
        ids={form.values.media_ids}
        label={t('orders.files')}
        max={MAX_ITEMS}
        onChange={(ids) => form.setFieldValue('media_ids', ids)}
        problem={() => undefined}
        maxAlt={2000}
        isOffered
      >
        <Text fw={500}>{t('orders.files')}</Text>
      </MediaAttachments>
      <Textarea
        label={t('orders.links')}
        description={t('orders.links_about')}
        autosize
        minRows={2}
        {...form.getInputProps('links')}
      />
      <Textarea label={t('orders.notes')} autosize minRows={2} maxLength={5000} {...form.getInputProps('notes')} />
    </ActionForm>
  )
}
