/*
 * Shop: a customer looks whether there is something left, and then takes it.
 *
 * expect: set=shop unit=customer_buy pattern=1,2
 *
 * Looking and taking are locked, each by itself: two customers take the last item. The unit of
 * work is the customer's, not a method of the shop: the paper's defaults do not see it.
 */
#include "../program.h"

struct shop {
    pthread_mutex_t lock;
    int stock;
};

struct customer {
    struct shop *shop;
    int items;
};

int shop_stock(struct shop *shop)
{
    pthread_mutex_lock(&shop->lock);
    int stock = shop->stock;
    pthread_mutex_unlock(&shop->lock);
    return stock;
}

void shop_take(struct shop *shop)
{
    pthread_mutex_lock(&shop->lock);
    shop->stock--;
    pthread_mutex_unlock(&shop->lock);
}

void customer_buy(struct customer *me, struct shop *shop)
{
    repair_lock(&shop->lock);
    if (shop_stock(shop) > 0) {
        shop_take(shop);
        me->items++;
    }
    repair_unlock(&shop->lock);
}

static void *buy(void *arg)
{
    struct customer *me = arg;

    customer_buy(me, me->shop);
    return NULL;
}

static struct shop shop = {.lock = MONITOR, .stock = 1};
static struct customer customers[] = {{&shop, 0}, {&shop, 0}, {&shop, 0}};

int main(void)
{
    struct job jobs[] = {{buy, &customers[0]}, {buy, &customers[1]}, {buy, &customers[2]}};

    run_jobs(jobs, COUNT(jobs));
    assert(shop_stock(&shop) == 0);
    return 0;
}
