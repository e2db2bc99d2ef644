/* For ranges.sh: which loops are checked as a whole, before they run, and which checks are called.
 */
void by_int(double *to, int from, int end)
{
    for (int i = from; i < end; i++)
        to[i] = 3;
}

/* No preheader: the guard branches straight to the header. */
void by_long(double *to, long from, long end)
{
    for (long i = from; i < end; i++)
        to[i] = 3;
}

double down(const double *from, unsigned long n)
{
    double sum = 0;
    while (n-- > 0)
        sum += from[n];
    return sum;
}

/* How many of the elements are accessed is not known before. */
long until(const long *from, long n)
{
    long i = 0;
    while (i < n && from[i] != 7)
        i++;
    return i;
}

/* More checks than a function inlines outside of its loops; that of the loop is inlined. */
long large(long *const *from, long n)
{
    long sum = *from[0] + *from[1] + *from[2] + *from[3] + *from[4] + *from[5] + *from[6];
    for (long i = 0; i < n && *from[i] != 7; i++)
        sum++;
    return sum;
}

long small(long *const *from)
{
    return *from[0] + *from[1];
}
