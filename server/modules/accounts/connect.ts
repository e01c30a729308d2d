import type { Static } from 'typebox'
import { invalid, refusedFields } from '../../errors.ts'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { type Complete, nothingToKeep } from '../../lib/http/idempotency.ts'
import { compileValidator, fieldErrors } from '../../lib/http/schema/validation.ts'
import type { FormField, Network } from '../networks/network.ts'
import { findNetwork, formOf, networks } from '../networks/registry.ts'
import { Account, type NewAccount } from './accounts.schema.ts'
import { fetchAvatar } from './avatars.ts'
import { storeAccount } from './store-account.ts'

const compileForm = (fields: FormField[]) =>
  compileValidator(
    {
      type: 'object',
      additionalProperties: false,
      required: fields.filter(({ required }) => required).map(({ key }) => key),
      properties: Object.fromEntries(fields.map(({ key }) => [key, { type: 'string', minLength: 1 }])),
    },
    'body',
  )

const formValidators = new Map(
  networks.flatMap((network) => {
    const form = formOf(network)
    return form ? [[network.id, compileForm(form.fields)] as const] : []
  }),
)

/** Connects with the values of the network's form. Throws `validation_failed` if they are not what it asks for. */
function submitForm(deps: Deps, network: Network, input: Record<string, string>) {
  const { id, name } = network
  const form = formOf(network)
  if (!form) throw invalid('/network', `Accounts of ${name} are connected by signing in there.`)
  const validate = formValidators.get(id)
  if (validate && !validate(input))
    throw refusedFields(fieldErrors(validate.errors ?? [], Object.keys(Account.properties)))
  return form.submit(deps, input)
}

const withoutSecrets = (network: Network, input: Record<string, string>) =>
  Object.fromEntries(
    (formOf(network)?.fields ?? [])
      .filter(({ type }) => type !== 'password')
      .flatMap(({ key }) => (input[key] === undefined ? [] : [[key, input[key]]])),
  )

/** Connects an account by the form of its network. The network is called first, then the account is stored. */
export async function connectAccount(
  deps: Deps,
  caller: Member,
  { network: id, name, ...input }: Static<typeof NewAccount>,
  complete: Complete = nothingToKeep,
) {
  const network = findNetwork(id)
  if (!network)
    throw invalid(
      '/network',
      `Unknown network: ${id}. The networks are: ${networks.map((known) => known.id).join(', ')}.`,
    )
  const { avatar: remote, ...found } = await submitForm(deps, network, input)
  const avatar = await fetchAvatar(deps, caller.workspace_id, remote)
  const form = withoutSecrets(network, input)
  return inTransaction(deps.db, async (tx) => {
    const account = await storeAccount(tx, deps, caller, { network: id, found, avatar, form, name, grant_id: null })
    await complete(tx, account)
    return account
  })
}
