// All districts in their one order: each may import of those before it. A new feature is a line of its district's district.ts.
import { acquiring } from '#features/acquiring/district.ts'
import { agencies } from '#features/agencies/district.ts'
import { care } from '#features/care/district.ts'
import { money } from '#features/money/district.ts'
import { office } from '#features/office/district.ts'
import { overview } from '#features/overview/district.ts'
import { print } from '#features/print/district.ts'
import { programs } from '#features/programs/district.ts'
import { sales } from '#features/sales/district.ts'
import { shops } from '#features/shops/district.ts'
import { support } from '#features/support/district.ts'

export const FEATURES = {
  ...office,
  ...money,
  ...shops,
  ...sales,
  ...care,
  ...acquiring,
  ...programs,
  ...print,
  ...support,
  ...agencies,
  ...overview,
}
