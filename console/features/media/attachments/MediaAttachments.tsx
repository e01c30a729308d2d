import { ActionIcon, Button, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { Images, TriangleAlert, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../media.module.css'
import type { Media } from '../queries'
import { Thumbnail } from '../Thumbnail'
import { ChooseFilesButton, FileDrop } from '../upload/FileDrop'
import { UploadList } from '../upload/UploadList'
import { useUploads } from '../upload/useUploads'
import { AltDialog } from './AltDialog'
import { LibraryDialog } from './LibraryDialog'
import { useMediaRecords } from './useMediaRecords'

/** Maximum number of files in one part of a post, as in the API. */
const MAX_FILES = 20

type Props = {
  ids: readonly string[]
  label: string
  /** Maximum number of files. Defaults to that of one part of a post. */
  max?: number
  onChange: (ids: string[]) => void
  /** Reports that files are uploaded. Returns a function that reports the end. Must stay the same function. */
  beginUpload?: () => () => void
  /** The problem of the file at this index, or of all files together. */
  problem: (index?: number) => string | undefined
  /** Maximum length of an alternative text on the networks of the post. */
  maxAlt: number
  /** Whether an account of the post takes files. */
  isOffered: boolean
  /** Shown below the files. */
  below?: ReactNode
  children: ReactNode
}

/** Wraps a text field and lists its files below: dropped or pasted there, chosen, sorted and described. */
export function MediaAttachments(props: Props) {
  const { ids, label, max = MAX_FILES, onChange, beginUpload, problem, maxAlt, isOffered, below, children } = props
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const current = useRef(ids)
  current.current = ids
  const add = (added: string[]) => {
    const all = [...new Set([...current.current, ...added])].slice(0, max)
    current.current = all
    onChange(all)
  }
  const uploads = useUploads(slug, ({ id }) => add([id]))
  const isUploading = uploads.uploads.some(({ error }) => error === undefined)
  useEffect(() => (isUploading ? beginUpload?.() : undefined), [isUploading, beginUpload])
  const [choosing, setChoosing] = useState(false)
  const [described, setDescribed] = useState<string>()
  const records = useMediaRecords(ids)
  const withoutAlt = records.filter(({ alt, kind }) => !alt && kind !== 'document').length
  const isFull = ids.length >= max
  return (
    <FileDrop onFiles={isOffered ? uploads.add : () => undefined} isPage={false}>
      {children}
      <Stack gap="xs" mt="xs">
        {ids.length > 0 && (
          <SortableFiles
            ids={ids}
            records={records}
            label={label}
            problem={problem}
            onChange={onChange}
            onDescribe={setDescribed}
          />
        )}
        <div aria-busy={isUploading} tabIndex={-1}>
          <UploadList uploads={uploads.uploads} onCancel={uploads.cancel} onRetry={uploads.retry} />
        </div>
        {ids.map((id, index) => {
          const text = problem(index)
          return text && <Problem key={id} text={text} />
        })}
        {problem() && <Problem text={problem() ?? ''} />}
        {withoutAlt > 0 && (
          <Text fz="sm" role="status" className={classes.warning}>
            <TriangleAlert size={15} aria-hidden="true" /> {t('compose.without_alt', { count: withoutAlt })}
          </Text>
        )}
        {below}
        {isOffered && !isFull && (
          <Group gap="xs">
            <ChooseFilesButton onFiles={uploads.add} variant="subtle" size="compact-md">
              {t('compose.add_files')}
            </ChooseFilesButton>
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<Images size={16} />}
              onClick={() => setChoosing(true)}
            >
              {t('compose.from_library')}
            </Button>
          </Group>
        )}
      </Stack>
      <LibraryDialog
        opened={choosing}
        onClose={() => setChoosing(false)}
        max={max - ids.length}
        onChoose={(chosen) => {
          setChoosing(false)
          add(chosen)
        }}
      />
      <AltDialog
        media={records.find(({ id }) => id === described)}
        max={maxAlt}
        onClose={() => setDescribed(undefined)}
        onCropped={({ id: part }) => {
          const all = [...new Set(current.current.map((id) => (id === described ? part : id)))]
          current.current = all
          onChange(all)
          setDescribed(part)
        }}
      />
    </FileDrop>
  )
}

const Problem = ({ text }: { text: string }) => (
  <Text fz="sm" c="var(--mantine-color-error)" role="alert" tabIndex={-1}>
    {text}
  </Text>
)

type SortedProps = Pick<Props, 'ids' | 'label' | 'problem' | 'onChange'> & {
  records: Media[]
  onDescribe: (id: string) => void
}

/** The files in their order. Dragging, and Shift with an arrow key, change it. */
function SortableFiles({ ids, records, label, problem, onChange, onDescribe }: SortedProps) {
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<number>()
  const list = useRef<HTMLUListElement>(null)
  const move = (from: number, to: number) => {
    if (to < 0 || to >= ids.length || from === to) return
    const sorted = [...ids]
    sorted.splice(to, 0, ...sorted.splice(from, 1))
    onChange(sorted)
  }
  const sortByKey = (event: KeyboardEvent, index: number) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    if (!step || !event.shiftKey) return
    event.preventDefault()
    move(index, index + step)
  }
  const remove = (index: number) => {
    onChange(ids.toSpliced(index, 1))
    // Keeps the focus nearby, because the button that had it is gone.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll('button')
      ;(buttons?.[Math.max(0, index * 2 - 2)] ?? document.querySelector<HTMLElement>('main textarea'))?.focus()
    })
  }
  return (
    <ul className={classes.strip} aria-label={label} ref={list}>
      {ids.map((id, index) => {
        const media = records.find((one) => one.id === id)
        const name = media?.name ?? ''
        return (
          <li
            key={id}
            draggable
            data-dragged={dragged === index || undefined}
            data-wrong={problem(index) ? true : undefined}
            onDragStart={(event) => {
              setDragged(index)
              event.dataTransfer.effectAllowed = 'move'
              event.dataTransfer.setData('text/plain', name)
            }}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => dragged !== undefined && event.preventDefault()}
            onDrop={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              move(dragged, index)
              setDragged(undefined)
            }}
          >
            <UnstyledButton
              className={classes.tile}
              aria-label={t('compose.move_file', { name, number: index + 1, count: ids.length })}
              onKeyDown={(event) => sortByKey(event, index)}
              onClick={() => onDescribe(id)}
            >
              {media && <Thumbnail {...media} isDecorative />}
              {media && media.kind !== 'document' && (
                <span className={classes.alt} data-missing={!media.alt || undefined} aria-hidden="true" />
              )}
            </UnstyledButton>
            <ActionIcon
              className={classes.remove}
              variant="filled"
              color="dark"
              size="sm"
              radius="xl"
              aria-label={t('compose.remove_file', { name })}
              onClick={() => remove(index)}
            >
              <X size={14} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}
