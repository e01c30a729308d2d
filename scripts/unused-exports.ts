/** Fails when a file exports a name that no other file imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')
const generated = ['console/api.gen.d.ts', 'server/lib/db/database-types.ts']
/** Names that `bench/run.ts` and Vitest look for in files that they load by path. */
const loadedByName = new Set(['claim', 'setup'])
/** Files whose default export Vitest loads by path. */
const loadedByPath = new Set(['test/run/runner.ts', 'scripts/mutation/runner.ts'])

const sources = globSync(['{server,shared,console,test,bench,scripts}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
  .filter((path) => !path.startsWith('console/dist') && !generated.includes(path))
  .map((path) => ts.createSourceFile(join(root, path), readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest))
const files = new Set(sources.map(({ fileName }) => fileName))

/** Names that other files import, by file. `*` stands for all of them. */
const imported = new Map<string, Set<string>>()

function addImports({ fileName }: ts.SourceFile, specifier: string, names: string[]) {
  const path = resolve(dirname(fileName), specifier)
  const file = [path, `${path}.ts`, `${path}.tsx`].find((each) => files.has(each))
  if (specifier.startsWith('.') && file) imported.set(file, new Set([...(imported.get(file) ?? []), ...names]))
}

/** Names of the form `namespace.name`, or `*` when the namespace is passed on as a whole. */
const namesIn = (text: string, namespace: string) =>
  [...text.matchAll(new RegExp(`\\b${namespace}\\b(?:\\.(\\w+))?`, 'g'))].map(([, name]) => name ?? '*')

function importedNames({ text }: ts.SourceFile, statement: ts.ImportDeclaration | ts.ExportDeclaration) {
  const isImport = ts.isImportDeclaration(statement)
  const bindings = isImport ? statement.importClause?.namedBindings : (statement.exportClause ?? '*')
  const names = isImport && statement.importClause?.name ? ['default'] : []
  if (bindings === undefined) return names
  if (bindings === '*' || ts.isNamespaceExport(bindings)) return ['*']
  if (ts.isNamespaceImport(bindings)) return [...names, ...namesIn(text.slice(statement.end), bindings.name.text)]
  return [...names, ...bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)]
}

function readImports(source: ts.SourceFile) {
  for (const statement of source.statements) {
    if (ts.isModuleDeclaration(statement) && statement.body && ts.isModuleBlock(statement.body))
      addImports(source, statement.name.text, statement.body.statements.flatMap(declaredNames))
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
    if (statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier))
      addImports(source, statement.moduleSpecifier.text, importedNames(source, statement))
  }
  const dynamic = /(?:const \{([^}]*)\} = await )?import\(\s*['"]([^'"]+)['"]/g
  for (const [, names, specifier = ''] of source.text.matchAll(dynamic))
    addImports(source, specifier, names?.split(',').map((name) => name.trim()) ?? ['*'])
}

function declaredNames(statement: ts.Statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  const isNamed = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)
  if (isNamed || ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement))
    return statement.name ? [statement.name.text] : []
  return []
}

function exportedNames(statement: ts.Statement) {
  if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
    return statement.exportClause.elements.map(({ name }) => name.text)
  const modifiers = (ts.canHaveModifiers(statement) && ts.getModifiers(statement)) || []
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
  const isDefault = modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  return isDefault ? ['default'] : declaredNames(statement)
}

for (const source of sources) readImports(source)
for (const { fileName, statements } of sources) {
  const names = imported.get(fileName) ?? new Set()
  for (const name of names.has('*') ? [] : statements.flatMap(exportedNames))
    if (!names.has(name) && !loadedByName.has(name) && !loadedByPath.has(relative(root, fileName))) {
      console.error(`${relative(root, fileName)} exports ${name}, which no other file imports.`)
      process.exitCode = 1
    }
}
