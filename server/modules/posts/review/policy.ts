import { atLeast, type Role } from '../../../lib/http/roles.ts'

/** Who approves in a step: members with a role or a higher one, or the members that it names. */
export type Step = { need: 'any' | 'all'; role: 'editor' | 'admin' | 'owner' | null; user_ids: string[] }
/** What the accounts of a post ask for. `own_posts`: approvers may approve what they wrote. */
export type Policy = { own_posts: boolean; steps: Step[] }

/** The policy of a post that needs an approval although its accounts need none, such as one of an agent. */
export const ANY_EDITOR: Policy = { own_posts: true, steps: [{ need: 'any', role: 'editor', user_ids: [] }] }

type Person = { user_id: string; role: Role }
/** The author of the post, and the members of its workspace. */
export type Team = { author_id: string | null; members: readonly Person[] }

/** Who decides in a step. Only editors and higher roles decide, also of those whom it names. */
const mayDecide = (policy: Policy, step: Step, { user_id, role }: Person, { author_id }: Team) =>
  atLeast(role, 'editor') &&
  (step.role === null ? step.user_ids.includes(user_id) : atLeast(role, step.role)) &&
  (policy.own_posts || user_id !== author_id)

/** The step of a policy that these approvals leave open, and who decides there. Undefined when none is. */
export function openStep(policy: Policy, approvals: readonly Person[], team: Team) {
  const { steps } = policy
  let approved = new Set<string>()
  let index = 0
  /** Who still has to approve; with `any`, one of them is enough. */
  const waitingFor = (step: Step) =>
    team.members.filter((member) => mayDecide(policy, step, member, team) && !approved.has(member.user_id))
  // An approval counts for the step that was open when it was given, and for no later one.
  for (const approval of approvals) {
    const step = steps[index]
    if (!step) break
    if (!mayDecide(policy, step, approval, team)) continue
    approved.add(approval.user_id)
    if (step.need === 'all' && waitingFor(step).length > 0) continue
    index++
    approved = new Set()
  }
  const step = steps[index]
  return step && { index, steps: steps.length, step, approvers: waitingFor(step) }
}
