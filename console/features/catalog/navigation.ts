import { BookOpen, BookX } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const catalogNavigation: Navigation = {
  workspace: [{ label: 'pages.catalog', icon: BookOpen, to: '/w/$workspace/catalog' }],
}

export const catalogAdminNavigation: Navigation = {
  instance: [{ group: 'marketplace', label: 'pages.recipe_moderation', icon: BookX, to: '/admin/agent-recipes' }],
}
