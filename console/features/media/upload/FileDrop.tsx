import { Button, type ButtonProps } from '@mantine/core'
import { ImagePlus } from 'lucide-react'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../media.module.css'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

const filesOf = (data: DataTransfer | null) =>
  // A text that was copied with its image stays a text.
  data && !data.types.includes('text/plain') ? [...data.files] : []

type DropProps = {
  onFiles: (files: File[]) => void
  /** Whether files that are pasted elsewhere on the page are meant for it too. */
  isPage?: boolean
  children: ReactNode
}

/** An area that takes files that are dropped or pasted there. */
export function FileDrop({ onFiles, isPage = true, children }: DropProps) {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const area = useRef<HTMLDivElement>(null)
  const take = useRef(onFiles)
  take.current = onFiles
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = filesOf(event.clipboardData)
      const isInside = event.target instanceof Node && area.current?.contains(event.target)
      if (files.length === 0 || !(isPage || isInside)) return
      event.preventDefault()
      take.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [isPage])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same by keyboard
    <div
      ref={area}
      className={classes.drop}
      data-over={isOver || undefined}
      data-hint={t('media.drop_here')}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
    </div>
  )
}

/** Types that the file dialog offers. The server decides by the content of a file. */
const ACCEPT =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic,video/mp4,video/quicktime,video/webm,application/pdf'

type ChooseProps = ButtonProps & { onFiles: (files: File[]) => void; children?: ReactNode }

/** Opens the file dialog of the browser. */
export function ChooseFilesButton({ onFiles, children, ...props }: ChooseProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPT}
        data-testid="files"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <Button leftSection={<ImagePlus size={17} />} {...props} onClick={() => input.current?.click()}>
        {children ?? t('media.upload')}
      </Button>
    </>
  )
}
