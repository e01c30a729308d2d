/** Whether a permission was granted, by its own name or within a wider one, as `read` contains `read:accounts`. */
export const isGranted = (granted: readonly string[], scope: string) =>
  granted.includes(scope) || granted.includes(scope.replace(/:.*$/, ''))
