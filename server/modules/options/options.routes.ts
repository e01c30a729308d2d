import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { instanceAdmin } from '../../lib/access.ts'
import { routes } from '../../lib/route.ts'
import { NoContent } from '../../lib/schema.ts'
import { Option, OptionList, OptionParams, OptionValue } from './options.schema.ts'
import { listOptions, readOption, setOption, unsetOption } from './options.ts'

export function optionRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Options')

  route.get('/options', {
    operationId: 'listOptions',
    summary: 'List the options of this instance',
    description: 'All of them on one page. The own keys of AI models are listed when they are set.',
    access: instanceAdmin(),
    response: { 200: OptionList },
    handler: ({ deps }) => listOptions(deps),
  })
  route.get('/options/:key', {
    operationId: 'readOption',
    summary: 'Read one option',
    access: instanceAdmin(),
    params: OptionParams,
    response: { 200: Option },
    handler: ({ deps, params }) => readOption(deps, params.key),
  })
  route.put('/options/:key', {
    operationId: 'setOption',
    summary: 'Override an option',
    description: 'It counts on every node within a second.',
    access: instanceAdmin(),
    params: OptionParams,
    body: OptionValue,
    response: { 200: Option },
    handler: ({ deps, caller, params, body, ifMatch }) => setOption(deps, caller, params.key, body, ifMatch),
  })
  route.delete('/options/:key', {
    operationId: 'unsetOption',
    summary: 'Go back to the environment or the default',
    description: 'An option without an override stays as it is.',
    access: instanceAdmin(),
    params: OptionParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => unsetOption(deps, caller, params.key),
  })
}
