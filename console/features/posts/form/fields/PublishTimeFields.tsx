import { Card, SegmentedControl, Select, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateTimeField } from '../../../../ui/fields/DateTimeField'
import { useFormat } from '../../../../ui/text/format'
import { browserZone, fromWall, today, toWall } from '../../../../ui/text/time-zone'
import { useAccountLabel } from '../../../networks/queries'
import { useWorkspace } from '../../../workspaces/queries'
import classes from '../../posts.module.css'
import { nextHour } from '../../queries'
import { NextSlot } from '../../queue/NextSlot'
import type { PostFields } from '../draft/post-draft'
import { type PostDestination, type PublishMode, publishModes } from '../form-values'

type Props = { form: PostFields; chosen: readonly PostDestination[]; error: ReactNode }

/** Publishes now or at a time of the workspace, or keeps a draft. */
export function PublishTimeFields({ form, chosen, error }: Props) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(browserZone())
  const clock = useFormat('UTC')
  const labelOf = useAccountLabel()
  const { when, wall } = form.values
  /** At a clock change, the chosen time may not exist. */
  const shownThen = wall && toWall(workspace.timezone, fromWall(workspace.timezone, wall))
  const skipped = shownThen !== wall && shownThen
  return (
    <Card
      component="fieldset"
      className={classes.publishTime}
      bg="var(--when-ground, var(--surface))"
      data-publish-time
    >
      <Text component="legend" fw={600}>
        {t('compose.when')}
      </Text>
      <SegmentedControl
        fullWidth
        styles={{ label: { paddingInline: 6 } }}
        aria-label={t('compose.when')}
        data={publishModes.map((value) => ({ value, label: t(`compose.${value}`) }))}
        value={when}
        onChange={(value) =>
          form.edit({
            when: value as PublishMode,
            wall: wall ?? nextHour(workspace.timezone),
          })
        }
      />
      {when === 'queue' && chosen.length > 1 && (
        <Select
          label={t('queue.times_of')}
          allowDeselect={false}
          data={chosen.map((account) => ({ value: account.id, label: labelOf(account) }))}
          value={form.values.accounts[0] ?? null}
          // The queue uses the posting times of the first account.
          onChange={(first) =>
            first && form.edit({ accounts: [first, ...form.values.accounts.filter((account) => account !== first)] })
          }
        />
      )}
      {when === 'queue' && <NextSlot accounts={form.values.accounts} />}
      {when === 'later' && (
        <>
          <DateTimeField
            label={t('date_time.label', { zone: workspace.timezone })}
            // The bound is a whole day: one within the day would silently change the chosen time.
            minDate={`${today(workspace.timezone)} 00:00:00`}
            value={wall}
            onChange={(value) => form.edit({ wall: value })}
            error={error}
          />
          {wall && skipped && (
            <Text fz="sm" c="var(--mantine-color-error)">
              {t('compose.skipped', { time: clock.full(fromWall('UTC', skipped)) })}
            </Text>
          )}
          {wall && browserZone() !== workspace.timezone && (
            <Text fz="sm" c="dimmed">
              {t('compose.your_time', { time: format.full(fromWall(workspace.timezone, wall)) })}
            </Text>
          )}
        </>
      )}
      <Text fz="sm" c="dimmed" className={classes.about}>
        {t(`compose.${when}_about`)}
      </Text>
    </Card>
  )
}
