// The page that visitors see first, with the layout of all pages before sign-in.
export { SignedOutLayout } from '../features/auth/signed-out/SignedOutLayout'
export { SignInPage } from '../features/auth/signed-out/SignInPage'
