import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import classes from './mail.module.css'

export type Scheme = 'light' | 'dark'

/** A mail may ask for any height. */
const HIGHEST = 20_000

/**
 * A mail as a mail program shows it, on a page of its own that runs nothing of it and has no origin. `width`: how wide
 * that program is at least, in pixels; where there is less room, it is shown smaller.
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
  const { ref: place, width: room } = useElementSize()
  /** How often the page has begun to listen: it may be loaded anew. */
  const [ready, setReady] = useState(0)
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || typeof data !== 'object' || data === null) return
      if (data.mail_frame === 'ready') setReady((times) => times + 1)
      if (data.mail_frame === 'height' && data.height > 0) setHeight(Math.min(data.height, HIGHEST))
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  useEffect(() => {
    // It has no origin that could be named.
    if (ready) frame.current?.contentWindow?.postMessage({ html, scheme }, '*')
  }, [ready, html, scheme])
  const scale = room > 0 ? Math.min(1, room / width) : 1
  return (
    <div ref={place} className={classes.framePlace} style={{ height: Math.max(height * scale, 120) }}>
      <iframe
        ref={frame}
        className={classes.frame}
        title={title}
        src="/mail-frame"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        scrolling="no"
        style={{ width: Math.max(width, room), height: Math.max(height, 120 / scale), transform: `scale(${scale})` }}
      />
    </div>
  )
}
