import { processImage } from './process-image.ts'

/**
 * A process that prepares one image (JSON in its argument, answer as JSON on stdout) and ends: a crash, a bomb or an
 * endless loop in a decoder affects nothing else.
 */
process.stdout.write(JSON.stringify(await processImage(JSON.parse(process.argv[2] ?? ''))))
