import { Badge, Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, Search, TriangleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '../../ui/SearchField'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { fold } from '../../ui/search'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import classes from './mail.module.css'
import { type Template, type TemplateKey, templateKeysQuery, templatesQuery } from './queries'
import type { TemplateFilters } from './search'
import { aboutMail, DEFAULT, languageName, mailName } from './words'

const route = getRouteApi('/inside/shell/admin/email-templates')

/** Filters by what nothing is stored of. */
const UNTOUCHED = 'own'

/** A mail: its templates, and what is known of it when it is one that Meydan writes. */
type Entry = { key: string; known: TemplateKey | undefined; stored: Template[] }

const byLocale = (a: Template, b: Template) =>
  Number(b.locale === DEFAULT) - Number(a.locale === DEFAULT) || a.locale.localeCompare(b.locale)

/** Every mail that Meydan writes, whether or not its text is another one here, and those of the operator's own. */
function entriesOf(keys: TemplateKey[], templates: Template[]): Entry[] {
  const own = new Set(templates.map(({ key }) => key).filter((key) => !keys.some((known) => known.key === key)))
  return [
    ...keys.map((known) => ({ key: known.key, known })),
    ...[...own].sort().map((key) => ({ key, known: undefined })),
  ].map((entry) => ({ ...entry, stored: templates.filter(({ key }) => key === entry.key).sort(byLocale) }))
}

/** What the mails of this installation say. */
export function TemplatesPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.email_templates'))
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery(templateKeysQuery)
  const templates = useQuery(templatesQuery)
  const { search, locale } = filters
  const filtered = Boolean(search || locale)
  const filter = (changed: { [Key in keyof TemplateFilters]: TemplateFilters[Key] | undefined }) =>
    void navigate({ search: { ...filters, ...changed } as TemplateFilters, replace: true, resetScroll: false })
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false })
  const error = keys.error ?? templates.error
  const known = keys.data && templates.data
  const entries = known ? entriesOf(keys.data, templates.data) : []
  const locales = [...new Set((templates.data ?? []).map((template) => template.locale))].sort()
  const fits = ({ key, known: standard, stored }: Entry) => {
    if (locale === UNTOUCHED && stored.length > 0) return false
    if (locale && locale !== UNTOUCHED && !stored.some((template) => template.locale === locale)) return false
    if (!search) return true
    const words = [
      key,
      mailName(t, key),
      standard && aboutMail(t, standard).text,
      ...stored.flatMap(({ subject, description, locale: tag }) => [subject, description, tag, languageName(t, tag)]),
    ]
    return words.some((word) => word && fold(word).includes(fold(search)))
  }
  const shown = entries.filter(fits)
  const standard = shown.filter((entry) => entry.known)
  const own = shown.filter((entry) => !entry.known)
  return (
    <>
      <PageHead title={t('rooms.email_templates')} about={t('desk.templates.about')}>
        <Button
          leftSection={<Plus size={17} />}
          renderRoot={(props) => <Link to="/admin/email-templates/new" search={{}} {...props} />}
        >
          {t('desk.templates.add')}
        </Button>
      </PageHead>
      <Group mb="md" gap="sm" role="search" aria-label={t('desk.templates.filters')}>
        <SearchField
          label={t('desk.templates.search')}
          value={search ?? ''}
          maxLength={100}
          onChange={(text) => filter({ search: text })}
        />
        <Select
          aria-label={t('desk.templates.by_language')}
          placeholder={t('desk.templates.any_language')}
          clearable
          w={{ base: '100%', xs: 240 }}
          data={[
            ...locales.map((value) => ({ value, label: languageName(t, value) ?? value })),
            { value: UNTOUCHED, label: t('desk.templates.untouched') },
            ...(locale && locale !== UNTOUCHED && !locales.includes(locale) ? [locale] : []),
          ]}
          value={locale ?? null}
          onChange={(value) => filter({ locale: value ?? undefined })}
        />
        {filtered && (
          <Button variant="subtle" size="md" leftSection={<X size={16} />} onClick={clear}>
            {t('posts.clear')}
          </Button>
        )}
      </Group>
      {error && (
        <Problem
          error={error}
          onRetry={() => {
            void keys.refetch()
            void templates.refetch()
          }}
        />
      )}
      {!error && !known && <Waiting lines={5} />}
      {known && shown.length === 0 && (
        <Card padding={0}>
          <Empty
            icon={<Search size={26} />}
            title={t('desk.templates.none_found')}
            action={
              <Button variant="default" onClick={clear}>
                {t('posts.clear')}
              </Button>
            }
          >
            {t('desk.templates.none_found_detail')}
          </Empty>
        </Card>
      )}
      <Stack gap="xl">
        {standard.length > 0 && <Mails id="standard" title={t('desk.templates.standard')} entries={standard} />}
        {own.length > 0 && (
          <Mails id="own" title={t('desk.templates.own')} about={t('desk.templates.own_about')} entries={own} />
        )}
      </Stack>
    </>
  )
}

function Mails({ id, title, about, entries }: { id: string; title: string; about?: string; entries: Entry[] }) {
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb={about ? 4 : 'sm'}>
        {title}
      </Title>
      {about && (
        <Text c="dimmed" fz="sm" mb="sm">
          {about}
        </Text>
      )}
      <Card padding={0}>
        <ul className={classes.list} aria-labelledby={id}>
          {entries.map((entry) => (
            <MailEntry key={entry.key} entry={entry} />
          ))}
        </ul>
      </Card>
    </section>
  )
}

function MailEntry({ entry: { key, known, stored } }: { entry: Entry }) {
  const { t } = useTranslation()
  const about = known && aboutMail(t, known)
  const name = mailName(t, key)
  return (
    <li className={classes.row} aria-label={name}>
      <div>
        <Text fw={650} className="text">
          {name}
        </Text>
        {about && (
          <Text fz="sm" c="dimmed" lang={about.lang}>
            {about.text}
          </Text>
        )}
        {name !== key && <div className={classes.key}>{key}</div>}
      </div>
      {stored.length > 0 ? (
        <ul className={classes.chips} aria-label={t('desk.templates.stored_of', { name })}>
          {stored.map(({ id, locale, warnings, subject }) => (
            <li key={id}>
              <Link
                to="/admin/email-templates/$template"
                params={{ template: id }}
                className={classes.chip}
                title={subject}
              >
                {languageName(t, locale) ?? locale}
                {warnings.length > 0 && (
                  <TriangleAlert size={14} role="img" aria-label={t('desk.templates.has_warnings')} />
                )}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <div>
          <Badge variant="light" color="gray">
            {t('desk.templates.meydans')}
          </Badge>
        </div>
      )}
      <div>
        <Button
          variant="default"
          size="sm"
          aria-label={t(stored.length > 0 ? 'desk.templates.another_of' : 'desk.templates.rewrite_of', { name })}
          renderRoot={(props) => <Link to="/admin/email-templates/new" search={{ key }} {...props} />}
        >
          {t(stored.length > 0 ? 'desk.templates.another' : 'desk.templates.rewrite')}
        </Button>
      </div>
    </li>
  )
}
