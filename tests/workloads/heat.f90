! SPDX-License-Identifier: GPL-2.0-or-later
! heat.f90 - heat.c in Fortran, with `use mpi`: how heat spreads in a square plate
!
! The same method, messages and result; strips are of columns, as Fortran stores
! them one after the other.
program heat
    use mpi
    use options
    implicit none
    integer, parameter :: tag_up = 1, tag_down = 2
    real(8), parameter :: frame_hot = 100
    integer :: error, rank, size, n, iterations, i, cols, above, below
    integer :: status(MPI_STATUS_SIZE)
    real(8), allocatable :: at(:, :), old(:), old_up(:)
    real(8) :: sum_all, start

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    n = option('-n', 1000)
    iterations = option('-i', 100)
    if (size > n) error stop 'heat: more processes than rows'
    start = MPI_Wtime()

    cols = part(rank + 1) - part(rank)
    above = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    below = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
    allocate (at(0:n + 1, 0:cols + 1), old(0:n + 1), old_up(0:n + 1))
    at = 0
    if (rank == 0) at(:, 0) = frame_hot
    do i = 1, iterations
        call exchange()
        call relax()
    end do
    call MPI_Reduce(sum(at(1:n, 1:cols)), sum_all, 1, MPI_DOUBLE_PRECISION, &
            MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) print '(3(i0, a), i0, a, es18.12, a, f0.3, a)', &
        n, ' x ', n, ' points, ', iterations, ' iterations, ', size, &
        ' processes: mean ', sum_all / n / n, ', ', &
        MPI_Wtime() - start, ' s'
    call MPI_Finalize(error)
contains
    ! The first column of process r, from 0.
    integer function part(r)
        integer, intent(in) :: r

        part = int(int(n, 8) * r / size)
    end function

    subroutine exchange()
        call MPI_Sendrecv(at(0, 1), n + 2, MPI_DOUBLE_PRECISION, above, &
                  tag_up, at(0, cols + 1), n + 2, &
                  MPI_DOUBLE_PRECISION, below, tag_up, &
                  MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call MPI_Sendrecv(at(0, cols), n + 2, MPI_DOUBLE_PRECISION, &
                  below, tag_down, at(0, 0), n + 2, &
                  MPI_DOUBLE_PRECISION, above, tag_down, &
                  MPI_COMM_WORLD, status, error)
    end subroutine

    subroutine relax()
        integer :: k

        old_up = at(:, 0)
        do k = 1, cols
            old = at(:, k)
            at(1:n, k) = 0.25d0 * (old_up(1:n) + at(1:n, k + 1) + &
                           old(0:n - 1) + old(2:n + 1))
            old_up = old
        end do
    end subroutine
end program
