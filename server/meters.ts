import { socialAccounts } from './modules/accounts/accounts.meters.ts'
import { aiCredits } from './modules/ai/ai.meters.ts'
import { storage } from './modules/media/media.meters.ts'
import { postsPerMonth, scheduledPosts } from './modules/posts/record/posts.meters.ts'
import type { Meter } from './modules/usage/meter.ts'
import { teamMembers } from './modules/workspaces/workspaces.meters.ts'

/** The meters of all modules, in display order. */
export const meters: Meter[] = [socialAccounts, postsPerMonth, scheduledPosts, aiCredits, teamMembers, storage]
