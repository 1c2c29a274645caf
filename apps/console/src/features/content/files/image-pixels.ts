import type { ImageEdit } from '@emma/contract/actions/files.ts'
import type { PercentCrop } from 'react-image-crop'

export interface PixelSize {
  width: number
  height: number
}

/** The part of an image in its own pixels, at least one, and never beyond it. */
export function pixelsOf(part: PercentCrop, image: PixelSize): NonNullable<ImageEdit['crop']> {
  const left = Math.min(Math.round((part.x / 100) * image.width), image.width - 1)
  const top = Math.min(Math.round((part.y / 100) * image.height), image.height - 1)
  const width = Math.min(Math.max(1, Math.round((part.width / 100) * image.width)), image.width - left)
  const height = Math.min(Math.max(1, Math.round((part.height / 100) * image.height)), image.height - top)
  return { left, top, width, height }
}

/** Size after scaling down to a width; images are not enlarged. */
export function scaledTo(size: PixelSize, width: number | null): PixelSize {
  if (width === null || width < 1 || width >= size.width) return { width: size.width, height: size.height }
  return { width, height: Math.max(1, Math.round((size.height * width) / size.width)) }
}
