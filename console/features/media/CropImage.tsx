import { lazy, Suspense } from 'react'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import type { CropProps } from './CropEditor'

/** Loaded when somebody crops: it is large for a page. */
const CropEditor = lazy(() => import('./CropEditor'))

/** Chooses a part of an image and keeps it as a new file. */
export function CropImage(props: CropProps) {
  return (
    <Suspense fallback={<LoadingSkeleton lines={1} height={360} />}>
      <CropEditor {...props} />
    </Suspense>
  )
}
