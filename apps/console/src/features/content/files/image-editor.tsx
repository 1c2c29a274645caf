import { editImage } from '@emma/contract/actions/files.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  centerCrop,
  makeAspectCrop,
  type PercentCrop,
  ReactCrop,
  type ReactCropProps,
} from 'react-image-crop'
import 'react-image-crop/dist/ReactCrop.css'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { api } from '../../../shell/session/api.ts'
import type { FileItem } from './file-item.ts'
import classes from './files.module.css'
import { type PixelSize, pixelsOf, scaledTo } from './image-pixels.ts'
import { refreshFiles } from './use-files.ts'

const free = 'free'

/** Width by height. */
const shapes = new Map([
  ['1:1', 1],
  ['4:3', 4 / 3],
  ['16:9', 16 / 9],
  ['2:1', 2],
  ['3:1', 3],
])

interface ImageEditorProps {
  image: FileItem & PixelSize & { url: string }
  onClose: () => void
}

/** Crops and scales an image, as a new file or in place. */
export function ImageEditor({ image, onClose }: ImageEditorProps): ReactNode {
  const { t } = useTranslation()
  const [shape, setShape] = useState(free)
  const [part, setPart] = useState<PercentCrop>()
  const [width, setWidth] = useState<number | ''>('')
  const [error, setError] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const crop = part && part.width > 0 && part.height > 0 ? pixelsOf(part, image) : null
  const result = scaledTo(crop ?? image, width === '' ? null : width)
  const isChanged = result.width !== image.width || result.height !== image.height
  const labels = cropLabels(t)
  const aspect = shapes.get(shape)
  function takeShape(value: string): void {
    setShape(value)
    const ratio = shapes.get(value)
    if (ratio === undefined) return
    const largest = makeAspectCrop({ unit: '%', width: 100 }, ratio, image.width, image.height)
    const scale = Math.min(1, 100 / largest.height)
    const fitting = { ...largest, width: largest.width * scale, height: largest.height * scale }
    setPart(centerCrop(fitting, image.width, image.height))
  }
  async function save(replace: boolean): Promise<void> {
    setSaving(true)
    try {
      const body = { crop, width: result.width, replace }
      const file = await api.call(editImage, { params: { id: image.id }, body })
      await refreshFiles()
      notify.success(t('content.files.edited', { name: file.name }))
      onClose()
    } catch (cause) {
      setError(errorText(cause))
      setSaving(false)
    }
  }
  return (
    <Dialog
      title={t('content.files.edit_title', { name: image.name })}
      isOpen
      isStatic
      onClose={onClose}
      size="xl"
    >
      <Stack>
        <SegmentedControl
          aria-label={t('content.files.shape')}
          value={shape}
          data={[{ value: free, label: t('content.files.free') }, ...shapes.keys()]}
          onChange={takeShape}
        />
        <div className={classes.crop}>
          <ReactCrop
            {...(part ? { crop: part } : {})}
            {...(aspect === undefined ? {} : { aspect })}
            ariaLabels={labels}
            onChange={(_, percent) => setPart(percent)}
          >
            <img src={image.url} alt={image.alt ?? ''} />
          </ReactCrop>
        </div>
        <Text size="xs" c="dimmed">
          {t('content.files.crop_hint')}
        </Text>
        <NumberInput
          label={t('content.files.width')}
          description={t('content.files.width_hint')}
          placeholder={String((crop ?? image).width)}
          min={1}
          max={(crop ?? image).width}
          allowDecimal={false}
          value={width}
          onChange={value => setWidth(typeof value === 'number' ? value : '')}
        />
        <div aria-live="polite">{t('content.files.result', { ...result })}</div>
        {error !== null && <div role="alert">{error}</div>}
        <Text size="xs" c="dimmed">
          {t('content.files.replace_hint')}
        </Text>
        <Group justify="flex-end">
          {crop && (
            <Button variant="subtle" onClick={() => setPart(undefined)}>
              {t('content.files.whole')}
            </Button>
          )}
          <Button variant="default" disabled={!isChanged || isSaving} onClick={() => void save(true)}>
            {t('content.files.save_replace')}
          </Button>
          <Button disabled={!isChanged} loading={isSaving} onClick={() => void save(false)}>
            {t('content.files.save_copy')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function cropLabels(t: TFunction): Required<ReactCropProps>['ariaLabels'] {
  return {
    cropArea: t('content.files.crop_parts.area'),
    nwDragHandle: t('content.files.crop_parts.top_left'),
    nDragHandle: t('content.files.crop_parts.top'),
    neDragHandle: t('content.files.crop_parts.top_right'),
    eDragHandle: t('content.files.crop_parts.right'),
    seDragHandle: t('content.files.crop_parts.bottom_right'),
    sDragHandle: t('content.files.crop_parts.bottom'),
    swDragHandle: t('content.files.crop_parts.bottom_left'),
    wDragHandle: t('content.files.crop_parts.left'),
  }
}
