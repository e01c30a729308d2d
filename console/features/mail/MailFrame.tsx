import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import classes from './mail.module.css'

export type Scheme = 'light' | 'dark'

/** Pixels. Mails ask for any height. */
const MAX_HEIGHT = 20_000

/**
 * Shows a mail as a mail program does, in a frame that runs none of its scripts and has no origin. `width`: the minimum
 * width of the mail in pixels; it is scaled down to fit less.
 */
export function MailFrame({
  html,
  title,
  scheme,
  width,
}: {
  html: string
  title: string
  scheme: Scheme
  width: number
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { ref: place, width: available } = useElementSize()
  /** Counts how often the frame became ready: it may load again. */
  const [ready, setReady] = useState(0)
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || typeof data !== 'object' || data === null) return
      if (data.mail_frame === 'ready') setReady((times) => times + 1)
      if (data.mail_frame === 'height' && data.height > 0) setHeight(Math.min(data.height, MAX_HEIGHT))
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  useEffect(() => {
    // The frame has no origin to name.
    if (ready) frame.current?.contentWindow?.postMessage({ html, scheme }, '*')
  }, [ready, html, scheme])
  const scale = available > 0 ? Math.min(1, available / width) : 1
  return (
    <div ref={place} className={classes.frameContainer} style={{ height: Math.max(height * scale, 120) }}>
      <iframe
        ref={frame}
        className={classes.frame}
        title={title}
        src="/mail-frame"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        scrolling="no"
        style={{
          width: Math.max(width, available),
          height: Math.max(height, 120 / scale),
          transform: `scale(${scale})`,
        }}
      />
    </div>
  )
}
