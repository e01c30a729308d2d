import { Anchor, SegmentedControl, Textarea } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Variable } from '../labels'
import classes from '../mail.module.css'
import type { TemplateFormState } from './form-values'
import { variableNamesIn } from './form-values'
import type { PreviewState } from './useTemplatePreview'
import { VariableMenu } from './VariableMenu'

export type BodyField = 'body_html' | 'body_text'

export type TextFieldsProps = {
  form: TemplateFormState
  variables: Variable[]
  /** Whether the text may use further variables. */
  isFree: boolean
  preview: PreviewState
}

type Props = TextFieldsProps & { shown: BodyField; onShow: (field: BodyField) => void }

/** Both bodies, of which one is shown. Faults of the other one are announced above it. */
export function TemplateBody({ form, variables, isFree, preview, shown, onShow }: Props) {
  const { t } = useTranslation()
  const errorOf = (field: BodyField): ReactNode => form.errors[field] ?? preview.faults[field]
  const hidden = shown === 'body_html' ? 'body_text' : 'body_html'
  const labels = { body_html: t('admin.templates.html_of'), body_text: t('admin.templates.text_of') }
  const textarea = (field: BodyField) => ({
    rows: 22,
    resize: 'vertical' as const,
    classNames: { wrapper: classes.code, error: classes.invalid },
    ...form.getInputProps(field),
    error: errorOf(field),
    'aria-label': labels[field],
    autoCapitalize: 'none',
    autoComplete: 'off',
  })
  return (
    <div>
      <div className={classes.head}>
        <SegmentedControl<BodyField>
          size="sm"
          aria-label={t('admin.templates.part')}
          value={shown}
          onChange={onShow}
          data={[
            { value: 'body_html', label: t('admin.templates.html') },
            { value: 'body_text', label: t('admin.templates.text') },
          ]}
        />
        <VariableMenu
          field={labels[shown]}
          variables={variables}
          used={variableNamesIn(form.values)}
          isFree={isFree}
          node={() => form.getInputNode(shown)}
        />
      </div>
      {errorOf(hidden) && (
        <Anchor
          component="button"
          type="button"
          fz="sm"
          mb={6}
          c="var(--mantine-color-error)"
          onClick={() => onShow(hidden)}
        >
          <CircleAlert size={14} aria-hidden="true" />{' '}
          {t(hidden === 'body_text' ? 'admin.templates.text_wrong' : 'admin.templates.html_wrong')}
        </Anchor>
      )}
      <div hidden={shown !== 'body_html'}>
        <Textarea maxLength={200_000} spellCheck={false} {...textarea('body_html')} />
      </div>
      <div hidden={shown !== 'body_text'}>
        <Textarea maxLength={100_000} description={t('admin.templates.text_about')} {...textarea('body_text')} />
      </div>
    </div>
  )
}
