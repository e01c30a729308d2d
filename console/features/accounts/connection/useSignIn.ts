import { useMutation } from '@tanstack/react-query'
import { unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useWorkspace } from '../../workspaces/queries'

/** Opens the page at which the user signs in at a network. The browser comes back to the accounts. */
export function useSignIn() {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: (network: string) =>
      unwrap(workspaceApi(slug).POST('/api/v1/accounts/connections', { body: { network } })),
    onSuccess: ({ authorize_url }) => {
      if (authorize_url) window.location.assign(authorize_url)
    },
    onError: useErrorNotification(),
  })
}
