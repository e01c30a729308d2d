import { Alert, Anchor, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { placeholderFor, type Variable, variableDescription } from '../labels'
import classes from '../mail.module.css'
import type { Template, TemplateKey } from '../queries'
import { type Texts, textsOf, variableNamesIn } from './form-values'
import { type BodyField, TemplateBody, type TextFieldsProps } from './TemplateBody'
import { TemplateSource } from './TemplateSource'
import { VariableMenu } from './VariableMenu'

type Props = TextFieldsProps & {
  filled: Texts
  source: { except: string | undefined; keys: TemplateKey[]; templates: Template[]; isWritten: boolean }
  onFill: (texts: Texts) => void
  shownBody: BodyField
  onShowBody: (field: BodyField) => void
}

/** The subject, both bodies, and a note for admins. */
export function TemplateFields({ filled, source, onFill, shownBody, onShowBody, ...text }: Props) {
  const { t } = useTranslation()
  const { form, variables, preview } = text
  const { values } = form
  const unused = preview.preview?.warnings ?? []
  return (
    <Card component="section" aria-labelledby="says">
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={2} size="h3" id="says">
          {t('admin.templates.content')}
        </Title>
        <TemplateSource mail={values.key} {...source} onChoose={onFill} />
      </Group>
      <Stack>
        <SubjectField {...text} />
        <TemplateBody {...text} shown={shownBody} onShow={onShowBody} />
        <div role="status" className={classes.hint}>
          {isTextOutdated(textsOf(values), filled) && (
            <Text fz="sm">
              {t('admin.templates.text_left')}{' '}
              <Anchor component="button" type="button" inherit onClick={() => form.setFieldValue('body_text', '')}>
                {t('admin.templates.text_from_html')}
              </Anchor>
            </Text>
          )}
        </div>
        {unused.length > 0 && <UnusedVariables names={unused} variables={variables} />}
        <TextInput
          label={t('admin.templates.note')}
          description={t('admin.templates.note_about')}
          maxLength={500}
          autoComplete="off"
          {...form.getInputProps('description')}
        />
      </Stack>
    </Card>
  )
}

/** Whether only the HTML was changed. The text then no longer matches it, which is easily overlooked. */
const isTextOutdated = (texts: Texts, filled: Texts) =>
  texts.body_html !== filled.body_html && texts.body_text !== '' && texts.body_text === filled.body_text

function SubjectField({ form, variables, isFree, preview }: TextFieldsProps) {
  const { t } = useTranslation()
  const label = t('admin.templates.subject')
  return (
    <div>
      <div className={classes.head}>
        <Text component="label" htmlFor="template-subject" fw={500}>
          {label}
        </Text>
        <VariableMenu
          field={label}
          variables={variables}
          used={variableNamesIn(form.values)}
          isFree={isFree}
          node={() => form.getInputNode('subject')}
        />
      </div>
      <TextInput
        id="template-subject"
        maxLength={300}
        classNames={{ wrapper: classes.line, error: classes.invalid }}
        {...form.getInputProps('subject')}
        error={form.errors.subject ?? preview.faults.subject}
        aria-label={label}
        autoCapitalize="none"
        autoComplete="off"
      />
    </div>
  )
}

/** Warns of, for example, a forgotten link. */
function UnusedVariables({ names, variables }: { names: string[]; variables: Variable[] }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('admin.templates.unused')} role="status">
      {names.map((name) => {
        const variable = variables.find((one) => one.name === name)
        const about = variable && variableDescription(t, variable)
        return (
          <Text key={name} fz="sm">
            <span className={classes.variable}>{placeholderFor(name)}</span>
            {about && <span lang={about.lang}> · {about.text}</span>}
          </Text>
        )
      })}
    </Alert>
  )
}
