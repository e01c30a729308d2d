import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../lib/deps.ts'
import { instanceAdmin } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { NoContent } from '../../lib/http/schema/schema.ts'
import { Option, OptionList, OptionParams, OptionValue } from './options.schema.ts'
import { listOptions, readOption, setOption, unsetOption } from './overrides.ts'

export function optionRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Options')

  route.get('/options', {
    operationId: 'listOptions',
    summary: 'List options',
    description: 'Returns all options on one page. The API key of an AI model is listed only if it is set.',
    access: instanceAdmin(),
    response: { 200: OptionList },
    handler: ({ deps }) => listOptions(deps),
  })
  route.get('/options/:key', {
    operationId: 'readOption',
    summary: 'Retrieve an option',
    access: instanceAdmin(),
    params: OptionParams,
    response: { 200: Option },
    handler: ({ deps, params }) => readOption(deps, params.key),
  })
  route.put('/options/:key', {
    operationId: 'setOption',
    summary: 'Override an option',
    description: 'Takes effect on every node within a second.',
    access: instanceAdmin(),
    params: OptionParams,
    body: OptionValue,
    response: { 200: Option },
    handler: ({ deps, caller, params, body, ifMatch }) => setOption(deps, caller, params.key, body, ifMatch),
  })
  route.delete('/options/:key', {
    operationId: 'unsetOption',
    summary: 'Reset an option',
    description:
      'Removes the override, so that the value comes from the environment or the default again. Resetting an option without an override changes nothing.',
    access: instanceAdmin(),
    params: OptionParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => unsetOption(deps, caller, params.key),
  })
}
