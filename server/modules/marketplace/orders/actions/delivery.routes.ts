import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../../lib/deps.ts'
import { admin, user } from '../../../../lib/http/access.ts'
import { FileResponse } from '../../../../lib/http/response/send-file.ts'
import { routes } from '../../../../lib/http/route.ts'
import { Closed, idOf, idParams } from '../../../../lib/http/schema/schema.ts'
import { serveOrderFile } from '../record/order-files.ts'
import { OrderView } from '../record/order-view.schema.ts'
import { deliverOrder } from './deliver.ts'
import { DeliveryInput } from './delivery.schema.ts'

export function deliveryRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.patch('/marketplace/orders/:id/deliver', {
    operationId: 'deliverOrder',
    summary: 'Deliver an order',
    description:
      'By the seller. Texts and links are copied as they are now, and files can no longer be deleted. Another delivery replaces it, and the buyer has the full time to react again. The same one again is 409.',
    access: admin({ scope: 'orders:write' }),
    params: idParams('order'),
    body: DeliveryInput,
    response: { 200: OrderView },
    handler: ({ deps, caller, params, body, ifMatch }) => deliverOrder(deps, caller, params.id, body, ifMatch),
  })
  route.get('/marketplace/orders/:id/files/:media_id', {
    operationId: 'downloadOrderFile',
    summary: 'Download a file of an order',
    description:
      'Returns a file of a delivery or message to both sides, and to instance admins during a dispute. Supports `Range` and `If-None-Match`. Needs no `X-Workspace-Id`.',
    access: user({ scope: 'orders:read' }),
    params: Closed({ id: idOf('order'), media_id: idOf('media', 'Id of the file.') }),
    response: { 200: FileResponse },
    instead: { 'image/*': 'An image.', 'video/*': 'A video.', 'application/*': 'A document.' },
    handler: ({ deps, caller, params }) => serveOrderFile(deps, caller, params),
  })
}
