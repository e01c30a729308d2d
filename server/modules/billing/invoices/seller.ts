import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'

/**
 * The seller of the options: name, address, tax office and tax number, one line each. Lines between the first and the
 * last two are the address. Without any, the instance itself.
 */
export async function sellerOf(tx: Tx, { options }: Pick<Deps, 'options'>) {
  const lines = (await options.get('billing.seller', tx)).split('\n').map((line) => line.trim())
  const [name = '', ...rest] = lines.filter((line) => line !== '')
  const addressLines = Math.max(1, rest.length - 2)
  const [tax_office = null, tax_id = null] = rest.slice(addressLines)
  return {
    name: name || (await options.get('app.name', tx)),
    address: rest.slice(0, addressLines).join(', ') || null,
    tax_office,
    tax_id,
  }
}
