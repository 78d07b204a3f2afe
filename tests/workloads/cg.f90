! SPDX-License-Identifier: GPL-2.0-or-later
! cg.f90 - conjugate gradients in Fortran, with `use mpi_f08`
!
! The messages of cg.c: in each iteration the vector is put together by
! MPI_Allgatherv, and two sums are made by MPI_Allreduce.  The matrix is simpler:
! a row has the diagonal and the same NONZEROS / 2 distances to either side, with
! values that depend on the distance alone, and the right side is that of a
! solution made before.  Once solved, the system is solved anew.
program cg
    use mpi_f08
    use options
    implicit none
    integer :: rank, size, n, half, iterations, first, m, i, k, solved
    integer, allocatable :: counts(:), starts(:), distance(:)
    real(8), allocatable :: value(:), p(:), x(:), r(:), q(:)
    real(8) :: diagonal, rho, next, alpha, error, start

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    n = option('-n', 20000)
    half = max(1, option('-z', 50) / 2)
    iterations = option('-i', 200)
    if (size > n) error stop 'cg: more processes than rows'
    start = MPI_Wtime()

    starts = [(int(int(n, 8) * i / size), i=0, size)]
    counts = starts(2:) - starts(:size)
    first = starts(rank + 1)
    m = counts(rank + 1)
    distance = [(1 + int(mod(int(k, 8) * 2654435761_8, int(n - 1, 8))), &
             k=1, half)]
    value = [(-0.5d0 - mod(k * 0.618d0, 0.5d0), k=1, half)]
    diagonal = 1 - 2 * sum(value)
    allocate (p(n), x(m), r(m), q(m))

    solved = 0
    error = 0
    rho = begin()
    do i = 1, iterations
        call multiply()
        alpha = rho / dot(p(first + 1:first + m), q)
        x = x + alpha * p(first + 1:first + m)
        r = r - alpha * q
        next = dot(r, r)
        if (next <= 1d-14) then
            solved = solved + 1
            error = max(error, farthest())
            rho = begin()
            cycle
        end if
        p(first + 1:first + m) = r + next / rho * p(first + 1:first + m)
        rho = next
        call gather()
    end do
    if (rank == 0) print '(4(i0, a), i0, a, es7.0, 3a, f0.3, a)', &
        n, ' rows of ', 2 * half, ', ', iterations, ' iterations, ', &
        size, ' processes: solved ', solved, ' times, error ', error, &
        ', ', merge('verified', 'WRONG   ', &
                solved > 0 .and. error < 1d-6), ', ', &
        MPI_Wtime() - start, ' s'
    call MPI_Finalize()
    if (solved == 0 .or. error >= 1d-6) error stop 1
contains
    real(8) function solution(row)
        integer, intent(in) :: row

        solution = 1 + mod(row * 0.754877d0, 1d0)
    end function

    subroutine gather()
        real(8) :: own(m)

        own = p(first + 1:first + m)
        call MPI_Allgatherv(own, m, MPI_DOUBLE_PRECISION, p, counts, &
                    starts, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD)
    end subroutine

    ! Over all processes.
    real(8) function dot(a, b)
        real(8), intent(in) :: a(:), b(:)

        call MPI_Allreduce(dot_product(a, b), dot, 1, &
                   MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    end function

    subroutine multiply()
        integer :: j, row, l

        do j = 1, m
            row = first + j
            q(j) = diagonal * p(row)
            do l = 1, half
                q(j) = q(j) + value(l) * &
                       (p(wrap(row + distance(l))) + &
                    p(wrap(row - distance(l))))
            end do
        end do
    end subroutine

    integer function wrap(row)
        integer, intent(in) :: row

        wrap = row
        if (row < 1) wrap = row + n
        if (row > n) wrap = row - n
    end function

    ! From x = 0 on; gives the square of the residual.
    real(8) function begin()
        integer :: j

        p = [(solution(j), j=1, n)]
        call multiply()
        x = 0
        r = q
        p(first + 1:first + m) = q
        call gather()
        begin = dot(r, r)
    end function

    real(8) function farthest()
        integer :: j
        real(8) :: mine

        mine = maxval([(abs(x(j) - solution(first + j)), j=1, m)])
        call MPI_Allreduce(mine, farthest, 1, MPI_DOUBLE_PRECISION, &
                   MPI_MAX, MPI_COMM_WORLD)
    end function
end program
