import { Text, type TextProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Account } from '../../../api'
import { useNetwork } from '../../networks/queries'

/** The app of a sign-in: a workspace can have one in place of that of the instance. Servers have only one. */
export function SignInApp({ network, app, ...style }: Pick<Account, 'network' | 'app'> & Pick<TextProps, 'mt'>) {
  const { t } = useTranslation()
  const hasServers = useNetwork(network)?.connect.instance != null
  if (app === null || hasServers) return null
  return (
    <Text c="dimmed" fz="sm" {...style}>
      {t(`accounts.sign_in.app.${app}`)}
    </Text>
  )
}
