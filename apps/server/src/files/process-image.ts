import type { ImageEdit } from '@emma/contract/actions/files.ts'
import sharp, { type Metadata, type Sharp } from 'sharp'

/** An image on disk, its results beside it. Numbers are bounds (contract/file-storage.ts). */
export interface ImageTask {
  path: string
  /** Type by content. */
  type: string
  pixels: number
  edit?: ImageEdit | undefined
}

export interface ImageResult {
  type: 'image/jpeg' | 'image/png' | 'image/gif'
  /** The image without location and camera data: the sent file, or one beside it. */
  path: string
  width: number
  height: number
  thumbnail: string
}

export type ImageAnswer = { result: ImageResult } | { fault: 'pixels' | 'broken' | 'crop' }

const THUMBNAIL = 320

/** Decoders of libvips for the accepted types; all others (SVG, PDF, ImageMagick) are disabled. */
const LOADERS = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map(name => `VipsForeignLoad${name}`)
const QUALITY = 88

/**
 * Prepares an image for emails: applies its orientation, removes metadata, converts WebP and AVIF to JPEG, PNG (with
 * transparency) or GIF (animated). An image that needs nothing of this keeps its bytes, and so do GIFs. Creating the
 * thumbnail decodes the whole image, which rejects damaged ones. With `edit` the image is cropped, then scaled down.
 */
export async function processImage({ path, type, pixels, edit }: ImageTask): Promise<ImageAnswer> {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: [...LOADERS] })
  sharp.cache(false)
  sharp.concurrency(1)
  const open = (file = path, isAnimated = false): Sharp =>
    sharp(file, { limitInputPixels: pixels, failOn: 'error', sequentialRead: true, animated: isAnimated })
  try {
    // Reads the header only. A bomb is rejected before it is decoded.
    const header = await sharp(path, { limitInputPixels: false }).metadata()
    const { width, height } = header
    const frames = header.pages ?? 1
    const target = targetOf(type, header)
    const isAnimated = target === 'image/gif'
    const decodesAll = isAnimated && edit !== undefined
    const isConverted = type === 'image/webp' || type === 'image/avif'
    if (width * height * (isConverted || decodesAll ? frames : 1) > pixels) return { fault: 'pixels' }
    if (edit && !isInside(edit, header)) return { fault: 'crop' }
    const image = { type: target, path, width, height, thumbnail: `${path}.thumb` }
    if (edit || needsWriting(type, header)) {
      const output = `${path}.out`
      const source = isAnimated ? open(path, true) : open().autoOrient()
      const info = await written(edit ? edited(source, edit) : source, target).toFile(output)
      Object.assign(image, { path: output, width: info.width, height: info.pageHeight ?? info.height })
    }
    await open(edit ? image.path : path)
      .autoOrient()
      .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .toFile(image.thumbnail)
    return { result: image }
  } catch {
    return { fault: 'broken' }
  }
}

/** Stored images have their orientation applied. */
function isInside({ crop }: ImageEdit, { width, height, pageHeight = height }: Metadata): boolean {
  return crop === null || (crop.left + crop.width <= width && crop.top + crop.height <= pageHeight)
}

function edited(image: Sharp, { crop, width }: ImageEdit): Sharp {
  const cut = crop ? image.extract(crop) : image
  return width === null ? cut : cut.resize({ width, withoutEnlargement: true })
}

function targetOf(type: string, { hasAlpha, pages = 1 }: Metadata): ImageResult['type'] {
  if (type === 'image/jpeg') return 'image/jpeg'
  if (type === 'image/gif') return 'image/gif'
  if (type === 'image/webp' && pages > 1) return 'image/gif'
  return type === 'image/png' || hasAlpha ? 'image/png' : 'image/jpeg'
}

/** Metadata may hold the place where a photo was taken. Email clients show CMYK in wrong colours. */
function needsWriting(type: string, header: Metadata): boolean {
  if (type === 'image/gif') return false
  if (type !== 'image/jpeg' && type !== 'image/png') return true
  const { orientation = 1, exif, xmp, iptc, comments, space } = header
  return orientation !== 1 || [exif, xmp, iptc, comments].some(each => each !== undefined) || space === 'cmyk'
}

function written(image: Sharp, type: ImageResult['type']): Sharp {
  const plain = image.toColourspace('srgb')
  if (type === 'image/jpeg') return plain.jpeg({ quality: QUALITY, mozjpeg: true })
  return type === 'image/png' ? plain.png({ compressionLevel: 9 }) : plain.gif()
}
