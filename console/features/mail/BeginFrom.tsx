import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../../i18n'
import { Confirm } from '../../ui/Confirm'
import type { Template, TemplateKey } from './queries'
import { languageName, mailName } from './words'
import { type Texts, textsOf } from './writing'

const own = ['en', 'tr'] as const

/** Takes Meydan's own text, or another stored one of this mail, instead of what stands here. */
export function BeginFrom({
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
  /** Something would be lost. */
  isWritten: boolean
  onChoose: (texts: Texts) => void
}) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Texts>()
  const known = keys.find(({ key }) => key === mail)
  // A mail of the operator's own may begin as any of Meydan's: its frame is what is wanted.
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
    return texts && own.map((one) => one === language && texts[one]).find((text) => text !== false)
  }
  return (
    <>
      <Select
        size="sm"
        w={{ base: '100%', xs: 260 }}
        aria-label={t('desk.templates.begin')}
        placeholder={t('desk.templates.begin')}
        searchable={!known}
        nothingFoundMessage={t('ui.nothing_found')}
        maxDropdownHeight={320}
        data={[
          ...(stored.length > 0
            ? [
                {
                  group: t('desk.templates.begin_stored'),
                  items: stored.map(({ id, locale }) => ({
                    value: `stored ${id}`,
                    label: languageName(t, locale) ?? locale,
                  })),
                },
              ]
            : []),
          {
            group: t('desk.templates.begin_own'),
            items: offered.flatMap(({ key }) =>
              own.map((language) => ({
                value: `own ${key} ${language}`,
                label: known ? languages[language] : `${mailName(t, key)} · ${languages[language]}`,
              })),
            ),
          },
        ]}
        value={null}
        onChange={(value) => choose(find(value))}
      />
      <Confirm
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('desk.templates.begin_ask')}
        confirm={t('desk.templates.begin_confirm')}
        act={{ isPending: false, error: null, reset: () => undefined }}
        onConfirm={() => {
          if (asked) onChoose(asked)
          setAsked(undefined)
        }}
      >
        {t('desk.templates.begin_detail')}
      </Confirm>
    </>
  )
}
