import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import { useFormat } from '../../../../ui/text/format'
import { type AccountRules, capabilitiesOf } from '../../../networks/characters'
import type { PostFields } from '../draft/post-draft'
import type { PostDestination, PostDraft } from '../form-values'

type Props = {
  form: PostFields
  field: 'media_ids' | 'thread' | 'first_comment'
  /** The accounts without their own version of this field. */
  inheriting: PostDestination[]
  networks: Network[]
}

const takes = {
  media_ids: ({ media }: AccountRules) => media !== null,
  thread: ({ max_parts }: AccountRules) => max_parts > 1,
  first_comment: ({ first_comment }: AccountRules) => first_comment,
}

/** Names the networks that take no files, threads or first comments, and offers to leave them out. */
export function UnsupportedNotice({ form, field, inheriting, networks }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { own, first_comment } = form.values
  const without = inheriting.filter((account) => {
    const rules = capabilitiesOf(account, networks)
    return rules && !takes[field](rules)
  })
  if (form.values[field].length === 0 || without.length === 0) return null
  const names = new Set(without.flatMap((account) => capabilitiesOf(account, networks)?.name ?? []))
  const others = inheriting.filter((account) => !without.includes(account))
  const change = (accounts: PostDestination[], texts: PostDraft['own'][string]) => ({
    ...own,
    ...Object.fromEntries(accounts.map(({ id }) => [id, { ...own[id], ...texts }])),
  })
  const leaveOut = () =>
    form.edit(
      field === 'first_comment'
        ? { first_comment: '', own: change(others, { first_comment }) }
        : { own: change(without, { [field]: [] }) },
    )
  return (
    <Text fz="sm" mt={6} role="status">
      {t(`compose.without_${field}`, { networks: format.list(names) })}{' '}
      {(field !== 'first_comment' || others.length > 0) && (
        <Anchor component="button" type="button" fz="sm" onClick={leaveOut}>
          {t(`compose.leave_out_${field}`)}
        </Anchor>
      )}
    </Text>
  )
}
