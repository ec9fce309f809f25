// A page about one shop reads it from its address, and leads to the shops where that names none.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { NoShop, useShopId } from './ShopAddress.tsx'

function AboutAShop() {
  const id = useShopId()
  return id === null ? <NoShop title="商户详情" /> : <p>商户 {id}</p>
}

test('the shop is the one that the address names', async () => {
  show(<AboutAShop />, { at: '/admin/merchant/merchantDetails?user_id=10000003' })
  await screen.findByText('商户 10000003')
})

test.each(['', '?user_id=x', '?user_id=0', '?user_id=1.5'])(
  'an address with "%s" says that it names none, and leads to the shops',
  async query => {
    show(<AboutAShop />, { at: `/admin/merchant/merchantDetails${query}` })
    expect((await screen.findByRole('alert')).textContent).toContain('地址中没有商户 ID，请从我的商户打开')
    expect(screen.getByRole('link', { name: '返回我的商户' }).getAttribute('href')).toBe(
      '/admin/merchant/myMerchant',
    )
  },
)
