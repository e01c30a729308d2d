import { Images } from 'lucide-react'
import type { Navigation } from '../../ui/navigation/entry'

export const mediaNavigation: Navigation = {
  workspace: [{ group: 'daily', label: 'pages.media', icon: Images, to: '/w/$workspace/media' }],
}
