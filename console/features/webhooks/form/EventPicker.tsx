import { ActionIcon, Checkbox, Group, Input, Radio, Stack, Text, TextInput } from '@mantine/core'
import { Braces, Search } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText, translateDynamic } from '../../../i18n'
import { foldCase } from '../../../ui/navigation/search-params'
import { CodeBlock } from '../CodeBlock'
import type { EventType } from '../queries'
import classes from '../webhooks.module.css'

/** The name that a webhook uses: the type or an alias. */
const chosenName = (chosen: string[], { type, aliases }: EventType) =>
  chosen.includes(type) ? type : aliases.find((name) => chosen.includes(name))

/** Types a webhook names but this Meydan lacks. */
const unknownTypes = (chosen: string[], types: EventType[]): EventType[] =>
  chosen
    .filter((name) => name !== '*' && !types.some(({ type, aliases }) => [type, ...aliases].includes(name)))
    .map((type) => ({ type, description: '', aliases: [], schema: {}, example: {} }))

/** Selects all events or some, by area, each with a description and a sample payload. */
export function EventPicker({
  types: known,
  value,
  onChange,
  error,
}: {
  types: EventType[]
  value: string[]
  onChange: (events: string[]) => void
  error?: ReactNode
}) {
  const { t } = useTranslation()
  const [before, setBefore] = useState(value)
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState<string>()
  const all = value.includes('*')
  // Test events need no subscription.
  const types = [...known, ...unknownTypes([...before, ...value], known)].filter(
    (one) => one.type !== 'webhook.test' || chosenName([...before, ...value], one),
  )
  const aboutOf = ({ type, description }: EventType) =>
    translateDynamic(t, `webhooks.types.${type.replaceAll('.', '_')}`, description)
  const wanted = foldCase(query.trim())
  const found = types.filter((one) => foldCase([one.type, ...one.aliases, aboutOf(one)].join(' ')).includes(wanted))
  const areas = Map.groupBy(found, ({ type }) => type.split('.', 1)[0] ?? type)
  const sample = types.find(({ type }) => type === shown) ?? types[0]
  const choose = (wantsAll: boolean) => {
    if (wantsAll) setBefore(value)
    onChange(wantsAll ? ['*'] : before.filter((name) => name !== '*'))
  }
  const set = (one: EventType, name: string | undefined) => {
    const others = value.filter((chosen) => chosen !== one.type && !one.aliases.includes(chosen))
    onChange(name ? [...others, name] : others)
  }
  return (
    <div data-path="events">
      <Radio.Group
        label={t('webhooks.events')}
        description={t('webhooks.events_about')}
        size="md"
        value={all ? 'all' : 'some'}
        onChange={(choice) => choose(choice === 'all')}
      >
        <Group mt="xs" gap="xl" align="flex-start">
          <Radio value="all" label={t('webhooks.all_events')} description={t('webhooks.all_events_about')} />
          <Radio
            value="some"
            label={t('webhooks.some_events')}
            description={all ? undefined : t('webhooks.some_events_about', { count: value.length })}
          />
        </Group>
      </Radio.Group>
      {error && <Input.Error mt={6}>{error}</Input.Error>}
      <div className={classes.picker} style={{ marginTop: '1rem' }}>
        <Stack gap="xs">
          <TextInput
            type="search"
            size="sm"
            maxLength={100}
            aria-label={t('webhooks.search_events')}
            placeholder={t('webhooks.search_events')}
            leftSection={<Search size={16} />}
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
            // Enter submits the form.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <div className={classes.groups}>
            {found.length === 0 && (
              <Text c="dimmed" p="md">
                {t('ui.nothing_found')}
              </Text>
            )}
            {[...areas].map(([area, ofArea]) => (
              <fieldset key={area} className={classes.group}>
                <legend>{translateDynamic(t, `webhooks.area.${area}`, t('webhooks.area.other'))}</legend>
                {ofArea.map((one) => (
                  <EventTypeRow
                    key={one.type}
                    one={one}
                    about={aboutOf(one)}
                    all={all}
                    name={chosenName(value, one)}
                    onName={(name) => set(one, name)}
                    pointed={one.type === sample?.type}
                    onPoint={() => setShown(one.type)}
                  />
                ))}
              </fieldset>
            ))}
          </div>
        </Stack>
        {sample && <SampleEvent of={sample} name={chosenName(value, sample) ?? sample.type} />}
      </div>
    </div>
  )
}

function EventTypeRow({
  one: { type, aliases },
  about,
  all,
  name,
  onName,
  pointed,
  onPoint,
}: {
  one: EventType
  about: string
  all: boolean
  name: string | undefined
  onName: (name: string | undefined) => void
  pointed: boolean
  onPoint: () => void
}) {
  const { t, i18n } = useTranslation()
  const group = useId()
  const isTold = i18n.exists(`webhooks.types.${type.replaceAll('.', '_')}`)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its button does the same
    <div className={classes.type} data-pointed={pointed || undefined} onMouseEnter={onPoint} onFocus={onPoint}>
      <div>
        <Checkbox
          label={<span className={classes.typeName}>{type}</span>}
          description={
            <>
              <span lang={isTold ? undefined : langOfEnglishText()}>{about}</span>
              {aliases.length > 0 && ` ${t('webhooks.alias', { names: aliases.join(', ') })}`}
            </>
          }
          checked={all || name !== undefined}
          disabled={all}
          onChange={({ currentTarget }) => onName(currentTarget.checked ? type : undefined)}
        />
        {!all && name && aliases.length > 0 && (
          <Group gap="xs" mt={6} pl={32} role="radiogroup" aria-labelledby={group}>
            <Text fz="xs" c="dimmed" id={group} w="100%">
              {t('webhooks.alias_label')}
            </Text>
            {[type, ...aliases].map((each) => (
              <Radio
                key={each}
                name={group}
                size="xs"
                value={each}
                label={<span className={classes.typeName}>{each}</span>}
                checked={name === each}
                onChange={() => onName(each)}
              />
            ))}
          </Group>
        )}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t('webhooks.show_sample', { type })}
        aria-pressed={pointed}
        onClick={onPoint}
      >
        <Braces size={16} />
      </ActionIcon>
    </div>
  )
}

function SampleEvent({ of: { type, example }, name }: { of: EventType; name: string }) {
  const { t } = useTranslation()
  const sent = 'type' in example ? { ...example, type: name } : example
  // The key resets the "copied" state when the type changes.
  return <CodeBlock key={type} name={t('webhooks.sample_of', { type: name })} text={JSON.stringify(sent, null, 2)} />
}
