import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { withTexts } from '../../i18n'
import { instanceRoute } from '../../layout-routes'

/** Redirects `/admin` to its first page. */
const instanceHome = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/options' })
  },
})

const options = createRoute({
  getParentRoute: () => instanceRoute,
  path: '/options',
  component: lazyRouteComponent(
    () => withTexts(import('./OptionsPage'), 'workspace', 'further', 'instance-admin'),
    'OptionsPage',
  ),
})

export const optionRoutes = { instance: [instanceHome, options] } as const
