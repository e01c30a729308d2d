import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useId, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../api'
import { styleNonce } from '../../theme/style-nonce'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { useFormat } from '../../ui/text/format'
import { useWorkspace } from '../workspaces/queries'
import classes from './media.module.css'
import { type Media, refreshMedia, showMedia } from './queries'

/** Names of the shapes, with width and height. */
const ratios = { square: [1, 1], portrait: [4, 5], landscape: [16, 9], story: [9, 16] } as const
type Shape = 'original' | keyof typeof ratios
const shapes: Shape[] = ['original', 'square', 'portrait', 'landscape', 'story']

const MAX_ZOOM = 5
/** Pixels on the screen by which an arrow key moves the image. */
const KEY_STEP = 8

/** The part in whole pixels inside an image of this size. */
function wholePixels({ x, y, width, height }: Area, image: { width: number; height: number }) {
  const left = Math.min(Math.max(0, Math.round(x)), image.width - 1)
  const top = Math.min(Math.max(0, Math.round(y)), image.height - 1)
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.min(Math.round(width), image.width - left)),
    height: Math.max(1, Math.min(Math.round(height), image.height - top)),
  }
}

export type CropProps = {
  media: Media
  /** Receives the new file with the part. */
  onCropped: (media: Media) => void
  onCancel: () => void
}

export default function CropEditor({ media, onCropped, onCancel }: CropProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const zoomId = useId()
  const [shape, setShape] = useState<Shape>('original')
  const [position, setPosition] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [rotate, setRotate] = useState(0)
  const [area, setArea] = useState<Area>()
  const size = { width: media.width ?? 1, height: media.height ?? 1 }
  const turned = rotate % 180 === 0 ? size : { width: size.height, height: size.width }
  const [width, height] = shape === 'original' ? [turned.width, turned.height] : ratios[shape]
  const part = area && wholePixels(area, turned)
  const save = useMutation({
    mutationFn: (body: NonNullable<typeof part>) =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/media/{id}/crop', {
          params: { path: { id: media.id } },
          body: { ...body, rotate },
        }),
      ),
    onSuccess: (cropped) => {
      showMedia(slug, cropped)
      void refreshMedia(slug)
      onCropped(cropped)
    },
  })
  const turn = () => {
    setRotate((degrees) => (degrees + 90) % 360)
    setPosition({ x: 0, y: 0 })
  }
  return (
    <Stack>
      {save.error && <ProblemAlert error={save.error} />}
      <div className={classes.cropper}>
        <Cropper
          image={media.url}
          crop={position}
          zoom={zoom}
          rotation={rotate}
          maxZoom={MAX_ZOOM}
          aspect={width / height}
          keyboardStep={KEY_STEP}
          onCropChange={setPosition}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
          onCropAreaChange={(_, pixels) => setArea(pixels)}
          nonce={styleNonce()}
          mediaProps={{ alt: '' }}
          cropperProps={{ 'aria-label': t('crop.area'), role: 'group' }}
        />
      </div>
      <SegmentedControl
        fullWidth
        aria-label={t('crop.shape')}
        data={shapes.map((value) => ({
          value,
          label: value === 'original' ? t('crop.original') : ratios[value].join(':'),
        }))}
        value={shape}
        onChange={(value) => setShape(value as Shape)}
      />
      <Text fz="sm" c="dimmed">
        {t(`crop.about.${shape}`)}
      </Text>
      <Group justify="space-between">
        <Group gap="sm" className={classes.zoom}>
          <label htmlFor={zoomId}>{t('crop.zoom')}</label>
          <input
            id={zoomId}
            type="range"
            min={1}
            max={MAX_ZOOM}
            step={0.1}
            value={zoom}
            onChange={({ currentTarget }) => setZoom(Number(currentTarget.value))}
          />
        </Group>
        <Button variant="subtle" leftSection={<RotateCw size={16} />} onClick={turn}>
          {t('crop.rotate')}
        </Button>
      </Group>
      <Group justify="space-between">
        <Text fz="sm" c="dimmed" className="tabular">
          {part && t('crop.size', { width: format.number(part.width), height: format.number(part.height) })}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
          <Button disabled={!part} loading={save.isPending} onClick={() => part && save.mutate(part)}>
            {t('crop.save')}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
