import { lazy, Suspense } from 'react'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import type { Media } from '../queries'

/** Loaded when somebody crops: it is large for a page. */
const CropEditor = lazy(() => import('./CropEditor'))

export type CropProps = {
  media: Media
  /** Receives the new file with the part. */
  onCropped: (media: Media) => void
  onCancel: () => void
}

/** Chooses a part of an image and keeps it as a new file. */
export function CropImage(props: CropProps) {
  return (
    <Suspense fallback={<LoadingSkeleton lines={1} height={360} />}>
      <CropEditor {...props} />
    </Suspense>
  )
}
