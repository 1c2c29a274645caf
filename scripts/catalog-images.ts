import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

/** Renders the images of the catalogue's designs: `node scripts/catalog-images.ts`, after an SVG was changed. */
const folder = join(import.meta.dirname, '../apps/server/src/catalog/images')

for (const name of readdirSync(folder).filter(file => file.endsWith('.svg'))) {
  const path = join(folder, name)
  const { width } = await sharp(readFileSync(path)).metadata()
  await sharp(path, { density: (72 * 2 * (width > 600 ? 560 : 280)) / width })
    .png({ palette: true, colours: 128, compressionLevel: 9, effort: 10 })
    .toFile(path.replace(/svg$/, 'png'))
}
