// What a card says that one of an item costs: to whoever looks at it, what they pay.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { BuyerPrice } from './BuyerPrice.tsx'
import { type Conditions, NO_CONDITIONS, type Offer } from './rules.ts'

const OFFER: Offer = {
  name: '双十一',
  part: null,
  basisPoints: 9_000,
  cents: null,
  bonusBasisPoints: null,
  bonusPieces: null,
}

const CARDS: [what: string, share: number, conditions: Conditions, shown: string, struck: string | null][] = [
  ['without a discount', 10_000, NO_CONDITIONS, '298.00 代币/年', null],
  ['with the discount of a level', 6_000, NO_CONDITIONS, '298.00 178.80 代币/年', '298.00'],
  [
    'with a campaign beside it',
    6_000,
    { minimums: {}, offers: [OFFER] },
    '双十一 298.00 160.92 代币/年',
    '298.00',
  ],
  [
    'with a campaign that costs more than the discount',
    6_000,
    { minimums: {}, offers: [{ ...OFFER, basisPoints: null, cents: 20_000 }] },
    '298.00 178.80 代币/年',
    '298.00',
  ],
  [
    'that may not cost less',
    6_000,
    { minimums: { unit: 25_000 }, offers: [] },
    '最低价 298.00 250.00 代币/年',
    '298.00',
  ],
]

for (const [what, discountBasisPoints, conditions, shown, struck] of CARDS)
  test(`a card ${what} says ${shown}`, async () => {
    show(
      <p data-testid="card">
        <BuyerPrice of={{ unitCents: 29_800, discountBasisPoints, conditions }} unit="代币/年" />
      </p>,
    )
    const card = await screen.findByTestId('card')
    expect(card.textContent?.trim()).toBe(shown)
    expect(card.querySelector('s')?.textContent ?? null).toBe(struck)
  })
