import { Button, Card, Group, Select, TextInput, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowUp, ListChecks, RotateCw, Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { focusNearest, focusPath, isFocusLost } from '../../../ui/focus/focus'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { uuidParam } from '../../../ui/navigation/search-params'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { eventTypesQuery, type Webhook } from '../queries'
import { DeliveryRow } from './DeliveryRow'
import classes from './deliveries.module.css'
import { type Delivery, type DeliveryFilters, deliveriesQuery, deliveryStatuses, noFilters } from './delivery-queries'
import { TimeRangeFilter } from './TimeRangeFilter'

/** Lists all deliveries, newest first. The address holds the filters. */
export function DeliveryLog({
  webhook,
  filters,
  onFilter,
  onRecover,
}: {
  webhook: Webhook
  filters: DeliveryFilters
  onFilter: (changed: { [Key in keyof DeliveryFilters]: DeliveryFilters[Key] | undefined }) => void
  onRecover: () => void
}) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { state, type, since, until, event } = filters
  const log = useInfiniteQuery(deliveriesQuery(workspace.slug, webhook.id, filters))
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? []
  const filtered = Boolean(state || type || since || until || event)
  const clear = () => onFilter(noFilters)
  return (
    <section aria-labelledby="log">
      <Group justify="space-between" mb="sm" gap="sm">
        <Title order={2} size="h3" id="log">
          {t('deliveries.log')}
        </Title>
        {webhook.active && isAtLeast(workspace, 'admin') && (
          <Button variant="default" leftSection={<RotateCw size={17} />} onClick={onRecover}>
            {t('deliveries.recover')}
          </Button>
        )}
      </Group>
      <Group mb="md" gap="sm" align="flex-start" role="search" aria-label={t('deliveries.filters')}>
        <Select
          aria-label={t('deliveries.by_state')}
          placeholder={t('deliveries.any_state')}
          clearable
          w={{ base: '100%', xs: 190 }}
          data={deliveryStatuses.map((value) => ({ value, label: t(`deliveries.state.${value}`) }))}
          value={state ?? null}
          onChange={(name) => onFilter({ state: deliveryStatuses.find((known) => known === name) })}
        />
        <TypeFilter type={type} onChange={(name) => onFilter({ type: name })} />
        <TimeRangeFilter since={since} until={until} onChange={onFilter} />
        <EventFilter event={event} onChange={(id) => onFilter({ event: id })} />
        {filtered && (
          <Button variant="subtle" size="md" leftSection={<X size={16} />} onClick={clear}>
            {t('posts.clear')}
          </Button>
        )}
      </Group>
      {log.error && <ProblemAlert error={log.error} onRetry={() => log.refetch()} />}
      {log.isPending && <LoadingSkeleton lines={5} height={60} />}
      {log.data && rows.length === 0 && !log.hasNextPage && (
        <Card padding={0}>
          {filtered ? (
            <NoMatches title={t('deliveries.none_found')} onClear={clear}>
              {t('deliveries.none_found_detail')}
            </NoMatches>
          ) : (
            <EmptyState icon={<ListChecks size={26} />} title={t('deliveries.none')}>
              {t('deliveries.none_detail')}
            </EmptyState>
          )}
        </Card>
      )}
      {rows.length > 0 && (
        <DeliveryRows key={`${state} ${type} ${since} ${until} ${event}`} webhook={webhook} rows={rows} />
      )}
      <LoadMore of={log} />
    </section>
  )
}

function TypeFilter({ type, onChange }: { type: string | undefined; onChange: (type: string | undefined) => void }) {
  const { t } = useTranslation()
  const types = useQuery(eventTypesQuery(useWorkspace().slug)).data ?? []
  const names = [...new Set(types.flatMap((known) => [known.type, ...known.aliases]))]
  return (
    <Select
      aria-label={t('deliveries.by_type')}
      placeholder={t('deliveries.any_type')}
      clearable
      searchable
      nothingFoundMessage={t('ui.nothing_found')}
      w={{ base: '100%', xs: 250 }}
      maxDropdownHeight={320}
      data={type && !names.includes(type) ? [...names, type] : names}
      value={type ?? null}
      onChange={(name) => onChange(name ?? undefined)}
    />
  )
}

const eventIdIn = (text: string) =>
  uuidParam(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i)?.[0].toLowerCase())

/** Finds the event id in pasted text. */
function EventFilter({
  event,
  onChange,
}: {
  event: string | undefined
  onChange: (event: string | undefined) => void
}) {
  const { t } = useTranslation()
  const [text, setText] = useState(event ?? '')
  useEffect(() => setText((typed) => (eventIdIn(typed) === event ? typed : (event ?? ''))), [event])
  const change = (typed: string) => {
    setText(typed)
    if (eventIdIn(typed) !== event) onChange(eventIdIn(typed))
  }
  return (
    <TextInput
      flex={1}
      miw={220}
      type="search"
      maxLength={400}
      spellCheck={false}
      autoComplete="off"
      aria-label={t('deliveries.by_event')}
      placeholder={t('deliveries.event_id')}
      leftSection={<Search size={17} />}
      value={text}
      error={text.trim() !== '' && !eventIdIn(text) && t('deliveries.no_id')}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

/**
 * Rows never move under the mouse: while it is over them, new deliveries wait above. When the focused row is removed,
 * the nearest element gets the focus.
 */
function DeliveryRows({ webhook, rows }: { webhook: Webhook; rows: Delivery[] }) {
  const { t } = useTranslation()
  const newest = rows[0]?.id ?? ''
  const [atFirst] = useState(newest)
  const [resting, setResting] = useState<string>()
  const shown = resting === undefined ? rows : rows.filter(({ id }) => id <= resting)
  const held = rows.length - shown.length
  const place = useRef<ReturnType<typeof focusPath>>([])
  const list = useRef<HTMLUListElement>(null)
  const goesToFirst = useRef(false)
  useEffect(() => {
    if (goesToFirst.current) list.current?.querySelector('a')?.focus()
    goesToFirst.current = false
    const node = place.current[0]?.node
    if (!node || node.isConnected) return
    if (isFocusLost()) focusNearest(place.current)
    place.current = []
  })
  const show = () => {
    goesToFirst.current = true
    setResting(newest)
  }
  return (
    <Card
      className={classes.log}
      style={{ overflow: 'visible' }}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setResting(newest)}
      onPointerLeave={() => setResting(undefined)}
    >
      {held > 0 && (
        <div className={classes.arrived}>
          <Button size="compact-md" radius="xl" leftSection={<ArrowUp size={15} />} onClick={show}>
            {t('deliveries.arrived', { count: held })}
          </Button>
        </div>
      )}
      <ul
        ref={list}
        aria-labelledby="log"
        onFocus={({ target }) => {
          place.current = focusPath(target)
        }}
        onBlur={({ target }) =>
          // Left, while the row is still there.
          setTimeout(() => {
            if (target.isConnected && place.current[0]?.node === target) place.current = []
          })
        }
      >
        {shown.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} fresh={delivery.id > atFirst} />
        ))}
      </ul>
    </Card>
  )
}
