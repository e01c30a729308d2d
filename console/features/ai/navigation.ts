import { Sparkles } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const aiNavigation: Navigation = {
  instance: [{ group: 'configuration', label: 'pages.ai_models', icon: Sparkles, to: '/admin/ai-models' }],
}
