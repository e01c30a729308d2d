import { Autocomplete, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { type Shift, STEP } from './useBulkActions'

type BulkDialog<Value> = {
  opened: boolean
  onClose: () => void
  /** Selected posts that cannot be changed this way. */
  skipped: number
  onSubmit: (value: Value) => void
}

const MAX_LABEL = 40

export function LabelDialog({ labels, onSubmit, ...dialog }: BulkDialog<string> & { labels: string[] }) {
  const { t } = useTranslation()
  const [label, setLabel] = useState('')
  const name = label.trim()
  return (
    <BulkDialogForm {...dialog} title={t('bulk.label')} isReady={name !== ''} onSubmit={() => onSubmit(name)}>
      <Autocomplete
        label={t('posts.by_label')}
        data={labels}
        value={label}
        onChange={setLabel}
        maxLength={MAX_LABEL}
        data-autofocus
      />
    </BulkDialogForm>
  )
}

const units = ['hours', 'days', 'weeks'] as const
const directions = ['later', 'earlier'] as const
const MAX_SHIFT = 1000

const shiftOf = (count: number, unit: (typeof units)[number]): Shift =>
  unit === 'hours' ? { hours: count } : { days: unit === 'weeks' ? 7 * count : count }

const ways = ['span', 'clock', 'queue'] as const

export function ShiftDialog({
  onSubmit,
  skippedInQueue,
  selected,
  ...dialog
}: BulkDialog<Shift> & {
  /** Posts that are selected. */
  selected: number
  /** Selected posts that cannot go to the queue. */
  skippedInQueue: number
}) {
  const { t } = useTranslation()
  const [way, setWay] = useState<(typeof ways)[number]>('span')
  const [text, setText] = useState('1')
  const [unit, setUnit] = useState<(typeof units)[number]>('days')
  const [direction, setDirection] = useState<(typeof directions)[number]>('later')
  const [clock, setClock] = useState('09:00')
  const count = Number(text)
  const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_SHIFT
  const shifts: Record<typeof way, Shift | undefined> = {
    span: isCount ? shiftOf(direction === 'later' ? count : -count, unit) : undefined,
    clock: clock ? { clock } : undefined,
    queue: { queue: 'next' },
  }
  const shift = shifts[way]
  const skipped = way === 'queue' ? skippedInQueue : dialog.skipped
  return (
    <BulkDialogForm
      {...dialog}
      skipped={skipped}
      title={t('bulk.shift')}
      isReady={shift !== undefined}
      onSubmit={() => shift && onSubmit(shift)}
    >
      {selected - skipped > STEP && <Text size="sm">{t('bulk.in_steps', { count: STEP })}</Text>}
      <SegmentedControl
        aria-label={t('bulk.way')}
        data={ways.map((value) => ({ value, label: t(`bulk.ways.${value}`) }))}
        value={way}
        onChange={setWay}
      />
      {way === 'span' && (
        <>
          <TextInput
            type="number"
            min={1}
            max={MAX_SHIFT}
            label={t('bulk.by')}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <SegmentedControl
            aria-label={t('bulk.unit')}
            data={units.map((value) => ({ value, label: t(`bulk.${value}`) }))}
            value={unit}
            onChange={setUnit}
          />
          <SegmentedControl
            aria-label={t('bulk.direction')}
            data={directions.map((value) => ({ value, label: t(`bulk.${value}`) }))}
            value={direction}
            onChange={setDirection}
          />
        </>
      )}
      {way === 'clock' && (
        <TextInput
          type="time"
          label={t('bulk.ways.clock')}
          description={t('bulk.clock_about')}
          value={clock}
          onChange={({ currentTarget }) => setClock(currentTarget.value)}
        />
      )}
      {way === 'queue' && <Text size="sm">{t('bulk.queue_about')}</Text>}
    </BulkDialogForm>
  )
}

function BulkDialogForm({
  opened,
  onClose,
  title,
  skipped,
  isReady,
  onSubmit,
  children,
}: Omit<BulkDialog<unknown>, 'onSubmit'> & {
  title: string
  isReady: boolean
  onSubmit: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    onClose()
    onSubmit()
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          {skipped > 0 && <Text size="sm">{t('bulk.skipped', { count: skipped })}</Text>}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit" disabled={!isReady}>
              {t('bulk.apply')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  )
}
