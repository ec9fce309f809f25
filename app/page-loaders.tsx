// Where the code of each page is: a table as long as the product is wide, fetched once the first page stands.
import type { ComponentType } from 'react'

export type PageModule = { default: ComponentType }

const loaders = import.meta.glob<PageModule>(['../features/**/*Page.tsx', '!../features/**/LoginPage.tsx'])

export async function load(file: string): Promise<PageModule> {
  const loader = loaders[`../${file}`]
  if (!loader) throw new Error(`no page at ${file}`)
  return loader()
}
