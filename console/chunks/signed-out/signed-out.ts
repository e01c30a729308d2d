// The other pages before sign-in, and the second step of signing in.
import '../components'

export { ForgotPasswordPage } from '../../features/auth/signed-out/ForgotPasswordPage'
export { InvitationPage } from '../../features/auth/signed-out/InvitationPage'
export { ResetPasswordPage } from '../../features/auth/signed-out/ResetPasswordPage'
export { SecondFactor } from '../../features/auth/signed-out/SecondFactor'
export { SignUpPage } from '../../features/auth/signed-out/SignUpPage'
