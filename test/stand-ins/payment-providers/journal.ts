export type PaymentProvider = 'stripe' | 'iyzico' | 'paytr'

/** Money that truly moved. `amount`: in minor units, always positive. `currency`: ISO 4217 in capitals. */
type Movement = {
  provider: PaymentProvider
  /** Id of the charge or refund at the provider. */
  id: string
  amount: bigint
  currency: string
  /** Every id by which the provider knows what was paid: session, subscription, invoice, merchant_oid … */
  refs: string[]
  metadata: Record<string, string>
  at: Date
}

/** `charge`: the `id` of the movement that it returns. */
type Refund = Movement & { charge: string }

export type Journal = ReturnType<typeof createJournal>

/** Keeps what was charged and refunded, apart from the state of the stand-ins, for comparison with Meydan. */
export function createJournal() {
  const charges: Movement[] = []
  const refunds: Refund[] = []
  const concerns = (ref: string) => (each: Movement) =>
    each.refs.includes(ref) || Object.values(each.metadata).includes(ref)
  const sum = (movements: Movement[]) => movements.reduce((total, { amount }) => total + amount, 0n)
  const refundedOf = (id: string) => sum(refunds.filter(({ charge }) => charge === id))

  return {
    charge: (movement: Movement) => {
      if (movement.amount <= 0n) throw new Error(`A charge of ${movement.amount}`)
      charges.push(movement)
    },
    /** Throws when more would be returned than was charged: the stand-in itself is wrong then. */
    refund: (of: string, refund: Pick<Movement, 'id' | 'amount' | 'at'>) => {
      const charge = charges.find(({ id }) => id === of)
      if (!charge) throw new Error(`No charge ${of}`)
      if (refund.amount <= 0n || refundedOf(of) + refund.amount > charge.amount)
        throw new Error(`A refund of ${refund.amount} of ${charge.amount}, of which ${refundedOf(of)} is returned`)
      refunds.push({ ...charge, ...refund, charge: of, refs: [...charge.refs, refund.id] })
    },
    /** A refund failed after it had succeeded. */
    takeBack: (id: string) => {
      const at = refunds.findIndex((each) => each.id === id)
      if (at < 0) throw new Error(`No refund ${id}`)
      refunds.splice(at, 1)
    },
    /** Oldest first. With `ref`, those with this id or this value in their metadata. */
    charges: (ref?: string) => charges.filter(ref === undefined ? () => true : concerns(ref)),
    refunds: (ref?: string) => refunds.filter(ref === undefined ? () => true : concerns(ref)),
    /** Charges less refunds in minor units, of everything or of one `ref`. Throws when currencies are mixed. */
    net: (ref?: string) => {
      const matches = ref === undefined ? () => true : concerns(ref)
      const found = charges.filter(matches)
      const currencies = new Set(found.map(({ currency }) => currency))
      if (currencies.size > 1) throw new Error(`Different currencies: ${[...currencies]}`)
      return sum(found) - sum(refunds.filter(matches))
    },
    clear: () => {
      charges.length = 0
      refunds.length = 0
    },
  }
}
