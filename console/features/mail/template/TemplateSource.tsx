import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../../../i18n'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { languageName, mailName } from '../labels'
import type { Template, TemplateKey } from '../queries'
import { type Texts, textsOf } from './form-values'

const builtInLocales = ['en', 'tr'] as const

/** Replaces the form's text with Meydan's own or another stored one of this mail. */
export function TemplateSource({
  mail,
  except,
  keys,
  templates,
  isWritten,
  onChoose,
}: {
  mail: string
  except: string | undefined
  keys: TemplateKey[]
  templates: Template[]
  /** A choice discards text. */
  isWritten: boolean
  onChoose: (texts: Texts) => void
}) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Texts>()
  const known = keys.find(({ key }) => key === mail)
  // An operator's own mail may start from any of Meydan's, to reuse its layout.
  const offered = known ? [known] : keys
  const stored = templates.filter(({ id, key }) => key === mail && id !== except)
  const choose = (texts: Texts | undefined) => {
    if (!texts) return
    if (isWritten) setAsked(texts)
    else onChoose(texts)
  }
  const find = (value: string | null) => {
    const [kind, name, language] = (value ?? '').split(' ')
    if (kind === 'stored') {
      const found = stored.find(({ id }) => id === name)
      return found && textsOf(found)
    }
    const texts = keys.find(({ key }) => key === name)?.texts
    return texts && builtInLocales.map((one) => one === language && texts[one]).find((text) => text !== false)
  }
  return (
    <>
      <Select
        size="sm"
        w={{ base: '100%', xs: 260 }}
        aria-label={t('admin.templates.source')}
        placeholder={t('admin.templates.source')}
        searchable={!known}
        nothingFoundMessage={t('ui.nothing_found')}
        maxDropdownHeight={320}
        data={[
          ...(stored.length > 0
            ? [
                {
                  group: t('admin.templates.source_stored'),
                  items: stored.map(({ id, locale }) => ({
                    value: `stored ${id}`,
                    label: languageName(t, locale) ?? locale,
                  })),
                },
              ]
            : []),
          {
            group: t('admin.templates.source_built_in'),
            items: offered.flatMap(({ key }) =>
              builtInLocales.map((language) => ({
                value: `own ${key} ${language}`,
                label: known ? languages[language] : `${mailName(t, key)} · ${languages[language]}`,
              })),
            ),
          },
        ]}
        value={null}
        onChange={(value) => choose(find(value))}
      />
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('admin.templates.source_ask')}
        confirm={t('admin.templates.source_confirm')}
        mutation={{ isPending: false, error: null, reset: () => undefined }}
        onConfirm={() => {
          if (asked) onChoose(asked)
          setAsked(undefined)
        }}
      >
        {t('admin.templates.source_detail')}
      </ConfirmDialog>
    </>
  )
}
