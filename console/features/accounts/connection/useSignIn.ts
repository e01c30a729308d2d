import { useMutation } from '@tanstack/react-query'
import { unwrap, workspaceApi } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useWorkspace } from '../../workspaces/queries'

/** `instance`: the server that the account is on, for networks with several. */
type SignInAt = { network: string; instance?: string | null | undefined }

/** Opens the page of the network of a sign-in that has begun. */
export const openSignIn = ({ authorize_url }: { authorize_url: string | null }) => {
  if (authorize_url) window.location.assign(authorize_url)
}

/** Opens the page at which the user signs in at a network. The browser comes back to the accounts. */
export function useSignIn() {
  const { slug } = useWorkspace()
  return useMutation({
    mutationFn: ({ network, instance }: SignInAt) =>
      unwrap(
        workspaceApi(slug).POST('/api/v1/accounts/connections', { body: { network, ...(instance && { instance }) } }),
      ),
    onSuccess: openSignIn,
    onError: useErrorNotification(),
  })
}
