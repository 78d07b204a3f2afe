! SPDX-License-Identifier: GPL-2.0-or-later
! exchange.F90 - exchange.c in Fortran: MPIFH for mpif.h, F08 for mpi_f08, else `use mpi`
program exchange
#if defined(F08)
    use mpi_f08
#elif !defined(MPIFH)
    use mpi
#endif
    implicit none
#ifdef MPIFH
    include 'mpif.h'
#endif
    integer, parameter :: rounds = 50, words = 9000
    integer :: error, rank, size, provided, i
    double precision :: out(words), in(words), total
#ifdef F08
    type(MPI_Status) :: status
    type(MPI_Request) :: request
#else
    integer :: status(MPI_STATUS_SIZE), request
#endif

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    out = rank
    total = 0
    do i = 1, rounds
        if (rank == 0) then
            call MPI_Send(out, 100, MPI_DOUBLE_PRECISION, 1, 1, &
                          MPI_COMM_WORLD, error)
            call work(in)
            call MPI_Recv(in, words, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 2, &
                          MPI_COMM_WORLD, status, error)
        else if (rank == 1) then
            call MPI_Irecv(in, words, MPI_DOUBLE_PRECISION, 0, 1, &
                           MPI_COMM_WORLD, request, error)
            call MPI_Wait(request, MPI_STATUS_IGNORE, error)
            call work(in)
            call MPI_Send(out, words, MPI_DOUBLE_PRECISION, 0, 2, &
                          MPI_COMM_WORLD, error)
        end if
        call MPI_Sendrecv(out, 10, MPI_DOUBLE_PRECISION, &
                          mod(rank + 1, size), 3, in, words, &
                          MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 3, &
                          MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        total = total + in(10)
        call MPI_Allreduce(out, in, 5, MPI_DOUBLE_PRECISION, MPI_SUM, &
                           MPI_COMM_WORLD, error)
    end do
    if (rank == 0) print '(a, f0.1)', 'total ', total
#ifdef F08
    call MPI_Finalize()
#else
    call MPI_Finalize(error)
#endif
contains
    subroutine work(x)
        double precision, intent(inout) :: x(words)
        integer :: k

        do k = 1, 200
            x(k) = x(k) * 0.5d0 + sum(sin(out))
        end do
    end subroutine
end program
