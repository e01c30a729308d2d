import { atLeast, type Role } from '../../../lib/http/roles.ts'

/**
 * Members with `role` or a higher one approve in a step, or those that `user_ids` names. One of the kind `client` is
 * approved by a client, through a link, and is the last of its policy.
 */
export type Step = {
  kind?: 'client'
  need: 'any' | 'all'
  role: 'editor' | 'admin' | 'owner' | null
  user_ids: string[]
}
export const CLIENT_STEP: Step = { kind: 'client', need: 'any', role: null, user_ids: [] }
/** Steps of approval that accounts of a post require. `own_posts`: approvers may approve posts that they wrote. */
export type Policy = { own_posts: boolean; steps: Step[] }

/** The policy of a post that needs an approval although its accounts need none, such as one of an agent. */
export const ANY_EDITOR: Policy = { own_posts: true, steps: [{ need: 'any', role: 'editor', user_ids: [] }] }

type Person = { user_id: string; role: Role }
/** A client has neither an id nor a role. */
type Approver = Person | { user_id: null; role: null }
/** The author of the post, and the members of its workspace. */
export type Team = { author_id: string | null; members: readonly Person[] }

/** Whether a person decides in a step. A named person decides only as an editor or in a higher role. */
const mayDecide = (policy: Policy, step: Step, { user_id, role }: Person, { author_id }: Team) =>
  atLeast(role, 'editor') &&
  (step.role === null ? step.user_ids.includes(user_id) : atLeast(role, step.role)) &&
  (policy.own_posts || user_id !== author_id)

/** The step of a policy that these approvals leave open, and its approvers. Undefined when none is open. */
export function openStep(policy: Policy, approvals: readonly Approver[], team: Team) {
  const { steps } = policy
  let approved = new Set<string>()
  let index = 0
  /** Members who have not approved yet. With `any`, one of them is enough. */
  const waitingFor = (step: Step) =>
    team.members.filter((member) => mayDecide(policy, step, member, team) && !approved.has(member.user_id))
  // An approval counts for the step that was open when it was given, and for no later one.
  for (const approval of approvals) {
    const step = steps[index]
    if (!step) break
    if (approval.user_id === null) {
      if (step.kind !== 'client') continue
    } else {
      if (!mayDecide(policy, step, approval, team)) continue
      approved.add(approval.user_id)
      if (step.need === 'all' && waitingFor(step).length > 0) continue
    }
    index++
    approved = new Set()
  }
  const step = steps[index]
  return step && { index, steps: steps.length, step, approvers: waitingFor(step) }
}
