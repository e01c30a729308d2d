import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { SearchField } from '../../../ui/fields/SearchField'
import { useWorkspace } from '../../workspaces/queries'
import { MediaGrid } from '../MediaGrid'
import { mediaQuery } from '../queries'

type Props = { opened: boolean; onClose: () => void; max: number; onChoose: (ids: string[]) => void }

/** Chooses files of the library, in the order in which they are pressed. */
export function LibraryDialog({ opened, ...props }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={props.onClose} size="xl" title={t('compose.choose_files')}>
      {opened && <Choice {...props} />}
    </Dialog>
  )
}

function Choice({ onClose, max, onChoose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const [search, setSearch] = useState<string>()
  const [chosen, setChosen] = useState<string[]>([])
  const media = useInfiniteQuery(mediaQuery(slug, { ...(search && { search }) }))
  const files = media.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Stack>
      <SearchField label={t('media.search')} value={search ?? ''} onChange={setSearch} />
      {media.error && <ProblemAlert error={media.error} onRetry={() => media.refetch()} />}
      {media.isPending && <LoadingSkeleton lines={2} height={120} />}
      {media.data && files.length === 0 && !media.hasNextPage && (
        <Text c="dimmed">{t(search ? 'media.none_found' : 'media.none')}</Text>
      )}
      <MediaGrid
        files={files}
        chosen={new Set(chosen)}
        onOpen={(file) => {
          setChosen((ids) =>
            ids.includes(file.id) ? ids.filter((id) => id !== file.id) : [...ids, file.id].slice(0, max),
          )
        }}
      />
      {media.hasNextPage && (
        <Button variant="default" loading={media.isFetchingNextPage} onClick={() => void media.fetchNextPage()}>
          {t('ui.more')}
        </Button>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
          {t('compose.use_files', { count: chosen.length })}
        </Button>
      </DialogActions>
    </Stack>
  )
}
