import type { FastifyInstance } from 'fastify'
import { readDesignImage } from '../catalog/read-designs.ts'

/** Serves the images of the catalogue's designs, which templates and sent emails refer to: `/designs/{name}.png`. */
export function mountDesignImages(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>('/designs/:name', (request, reply) => {
    const image = readDesignImage(request.params.name)
    if (image === null) return reply.callNotFound()
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000')
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(image)
  })
}
